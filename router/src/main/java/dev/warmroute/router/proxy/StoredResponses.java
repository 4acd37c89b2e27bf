package dev.warmroute.router.proxy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which replica holds which response of {@code /v1/responses}: an engine keeps them in its own memory, and no other replica can
 * answer for it. The last ones that passed through this router are remembered, the longest unused first to go. Thread-safe.
 */
final class StoredResponses {
    private static final int MAX = 65_536;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");
    private static final Pattern PATH = Pattern.compile("/v1/responses/(" + ID + ")(?:/.*)?");

    private final Map<String, Replica> holders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Replica> eldest) {
            return size() > MAX;
        }
    };

    /** The response that a path is about; empty when it is about none. */
    static String idIn(String path) {
        if (!path.startsWith("/v1/responses/")) {
            return "";
        }
        Matcher matcher = PATH.matcher(path);
        return matcher.matches() && !matcher.group(1).equals("render") ? matcher.group(1) : "";
    }

    synchronized void remember(String id, Replica holder) {
        if (ID.matcher(id).matches()) {
            holders.put(id, holder);
        }
    }

    /** Replica that holds a response; empty when that is not known, or it is no member any more. */
    synchronized Optional<Replica> holder(String id) {
        return Optional.ofNullable(holders.get(id)).filter(r -> !r.removed());
    }

    /** Forgets the responses of a replica whose engine was started again. */
    synchronized void forget(Replica replica) {
        holders.values().removeIf(r -> r == replica);
    }
}

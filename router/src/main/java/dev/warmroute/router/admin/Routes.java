package dev.warmroute.router.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** What is answered where. A segment {@code {name}} of a path stands for any one segment, percent-encoded or not. */
final class Routes {
    /** Answers a call; the parameters are those of its path. */
    @FunctionalInterface
    interface Handler {
        AdminAnswer answer(AdminCall call, Map<String, String> parameters);
    }

    /** As {@link Handler}, for what takes its time: the thread that asks does not wait. */
    @FunctionalInterface
    interface LaterHandler {
        CompletableFuture<AdminAnswer> answer(AdminCall call, Map<String, String> parameters);
    }

    private record Route(String method, String[] segments, boolean change, LaterHandler handler) {}

    private final List<Route> routes = new ArrayList<>();
    private final AdminToken token;

    Routes(AdminToken token) {
        this.token = token;
    }

    void read(String path, Handler handler) {
        routes.add(new Route("GET", segments(path), false, atOnce(handler)));
    }

    /** Needs the token. */
    void change(String method, String path, Handler handler) {
        changeLater(method, path, atOnce(handler));
    }

    /** Needs the token. */
    void changeLater(String method, String path, LaterHandler handler) {
        routes.add(new Route(method, segments(path), true, handler));
    }

    private static LaterHandler atOnce(Handler handler) {
        return (call, parameters) -> CompletableFuture.completedFuture(handler.answer(call, parameters));
    }

    private static String[] segments(String path) {
        return path.split("/", -1);
    }

    CompletableFuture<AdminAnswer> answer(AdminCall call) {
        try {
            return found(call);
        } catch (AdminRefusal e) {
            return CompletableFuture.completedFuture(e.answer());
        }
    }

    private CompletableFuture<AdminAnswer> found(AdminCall call) {
        String method = call.method().equals("HEAD") ? "GET" : call.method();
        String[] segments = segments(call.path());
        TreeSet<String> methods = new TreeSet<>();
        for (Route route : routes) {
            Optional<Map<String, String>> parameters = match(route.segments, segments);
            if (parameters.isEmpty()) {
                continue;
            }
            if (route.method.equals(method)) {
                if (route.change) {
                    token.require(call);
                }
                return route.handler.answer(call, parameters.get());
            }
            methods.add(route.method);
        }
        if (!methods.isEmpty()) {
            String allowed = String.join(", ", methods);
            AdminRefusal refusal = new AdminRefusal(405, call.method() + " is not possible here; possible: " + allowed);
            return CompletableFuture.completedFuture(refusal.answer().with("allow", allowed));
        }
        throw new AdminRefusal(
                404,
                "there is nothing at " + call.path()
                        + "; the panel is at /warmroute/, the status at /warmroute/status");
    }

    private static Optional<Map<String, String>> match(String[] pattern, String[] segments) {
        if (pattern.length != segments.length) {
            return Optional.empty();
        }
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < pattern.length; i++) {
            if (pattern[i].startsWith("{")) {
                parameters.put(pattern[i].substring(1, pattern[i].length() - 1), decoded(segments[i]));
            } else if (!pattern[i].equals(segments[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }

    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new AdminRefusal(400, "'" + segment + "' in the path is not percent-encoded as it should be");
        }
    }
}

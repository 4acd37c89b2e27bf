package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sessions for formats in which a turn says only what it adds to its session, with the answers of the turns before. A turn that
 * does not repeat its conversation whole begins a new session there. Whole sessions are kept until the end.
 */
final class Additive {
    private final Histories histories = new Histories();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, List<Turn>> sessions = new LinkedHashMap<>();
    private long begun;

    /** Takes in a request. */
    void add(Turn t) {
        String key = t.hasSession() ? t.affinityKey() : "request-" + t.index();
        Prompt said = histories.of(key);
        boolean continues = said.tokens() < t.prompt().tokens() && said.commonPrefix(t.prompt()) == said.tokens();
        if (!continues && said.tokens() > 0) {
            begun++;
            names.put(key, key + '#' + begun);
        }
        histories.add(key, t.prompt(), t.outputStart(), t.outputTokens());
        sessions.computeIfAbsent(names.getOrDefault(key, key), s -> new ArrayList<>())
                .add(t);
    }

    Map<String, List<Turn>> sessions() {
        return sessions;
    }

    /** Tokens of a turn that its session has said before it. */
    static int repeated(List<Turn> session, int turn) {
        return turn == 0
                ? 0
                : session.get(turn - 1).prompt().tokens()
                        + session.get(turn - 1).outputTokens();
    }

    List<String> notes() {
        return begun == 0
                ? List.of()
                : List.of(begun + " turns do not repeat their conversation whole and begin a session of their own");
    }
}

package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Dense numbers for the sessions and conversations (a session's agents) of a trace, in order of appearance. */
public final class SessionIndex {
    private final int[] session;
    private final int[] conversation;
    private final int sessions;
    private final int conversations;

    private SessionIndex(int[] session, int[] conversation, int sessions, int conversations) {
        this.session = session;
        this.conversation = conversation;
        this.sessions = sessions;
        this.conversations = conversations;
    }

    public static SessionIndex of(List<Turn> turns) {
        int[] session = new int[turns.size()];
        int[] conversation = new int[turns.size()];
        Map<String, Integer> sessions = new HashMap<>();
        Map<String, Integer> conversations = new HashMap<>();
        for (int i = 0; i < session.length; i++) {
            Turn turn = turns.get(i);
            session[i] = turn.hasSession() ? number(sessions, turn.session()) : -1;
            conversation[i] = turn.hasSession() ? number(conversations, turn.affinityKey()) : -1;
        }
        return new SessionIndex(session, conversation, sessions.size(), conversations.size());
    }

    private static int number(Map<String, Integer> numbers, String key) {
        Integer known = numbers.putIfAbsent(key, numbers.size());
        return known == null ? numbers.size() - 1 : known;
    }

    /** Session of the turn at a position of the trace; -1 without one. */
    public int session(int position) {
        return session[position];
    }

    /** Conversation of the turn at a position of the trace; -1 without a session. */
    public int conversation(int position) {
        return conversation[position];
    }

    public int sessions() {
        return sessions;
    }

    public int conversations() {
        return conversations;
    }
}

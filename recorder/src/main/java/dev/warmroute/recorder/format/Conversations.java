package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.Map;

/** Counts the turns of each conversation, and remembers when the last one ended, for formats that say only when things were. */
final class Conversations {
    private final Map<String, Last> last = new HashMap<>();

    private record Last(int turn, long endNanos) {}

    /** Number that the next turn has. */
    int next(String conversation) {
        Last before = last.get(conversation);
        return conversation.isEmpty() ? 0 : before == null ? 1 : before.turn + 1;
    }

    /** Time from the end of the turn before to a moment; {@link Turn#UNKNOWN} without one, or when its end is not known. */
    long gap(String conversation, long nanos) {
        Last before = last.get(conversation);
        return before == null || before.endNanos == Turn.UNKNOWN ? Turn.UNKNOWN : Math.max(0, nanos - before.endNanos);
    }

    /** Takes in a turn. */
    void add(String conversation, int turn, long arrivalNanos, long durationNanos) {
        if (!conversation.isEmpty()) {
            last.put(conversation, new Last(turn, durationNanos < 0 ? Turn.UNKNOWN : arrivalNanos + durationNanos));
        }
    }
}

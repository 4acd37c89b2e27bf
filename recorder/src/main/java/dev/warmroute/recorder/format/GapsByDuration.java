package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts the times between turns that are lost in a format that has none of its own: who reads it takes them from the end of
 * the turn before, which is known only where its duration is.
 */
final class GapsByDuration implements TurnWriter {
    private final TurnWriter writer;
    private final Set<String> ended = new HashSet<>();
    private long lost;

    GapsByDuration(TurnWriter writer) {
        this.writer = writer;
    }

    @Override
    public void write(Turn turn) {
        writer.write(turn);
        if (Part.GAPS.in(turn) && !ended.contains(turn.affinityKey())) {
            lost++;
        }
        if (Part.DURATIONS.in(turn)) {
            ended.add(turn.affinityKey());
        } else {
            ended.remove(turn.affinityKey());
        }
    }

    @Override
    public void finish() {
        writer.finish();
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(writer.notes());
        if (lost > 0) {
            notes.add("the times before " + lost
                    + " turns are lost: this format tells when a turn ended by its measured duration, and"
                    + " the turns before these have none");
        }
        return notes;
    }
}

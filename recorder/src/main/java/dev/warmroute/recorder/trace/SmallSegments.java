package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.event.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds segments that were finished by time, long before they were full, and are better one file: a quiet router recorded
 * for a month would leave a file for every five minutes of every partition.
 */
final class SmallSegments {
    /** A segment with less than this part of the rows of a full one is small. */
    private static final int SMALL = 8;

    /** So many neighbours are worth the writing. */
    private static final int FEW = 16;

    private SmallSegments() {}

    /**
     * The first run of neighbouring small segments of a partition that fit into one; empty when there is none worth it.
     *
     * @param keep what stays in the trace: a segment goes only with its last event, so one that took up ever newer ones would
     *     never be old
     * @param leaveAlone files not to touch
     */
    static List<Segment> run(TraceManifest manifest, Limits limits, Retention keep, Set<String> leaveAlone) {
        for (Topic topic : Topic.values()) {
            List<Segment> run = new ArrayList<>();
            long rows = 0;
            long bytes = 0;
            for (Segment s : manifest.segments(topic)) {
                boolean small = s.rows() <= limits.rows() / SMALL
                        && s.bytes() <= limits.dataBytes() / SMALL
                        && !leaveAlone.contains(s.file());
                boolean fits = small
                        && rows + s.rows() <= limits.rows()
                        && bytes + s.bytes() <= limits.dataBytes()
                        && (run.isEmpty() || run.getLast().partition() == s.partition())
                        && (run.isEmpty()
                                || s.lastTimeUs() - run.getFirst().firstTimeUs() <= keep.mostInOneSegmentUs());
                if (!fits) {
                    if (run.size() >= FEW) {
                        return run;
                    }
                    run.clear();
                    rows = 0;
                    bytes = 0;
                }
                if (small) {
                    run.add(s);
                    rows += s.rows();
                    bytes += s.bytes();
                }
            }
            if (run.size() >= FEW) {
                return run;
            }
        }
        return List.of();
    }
}

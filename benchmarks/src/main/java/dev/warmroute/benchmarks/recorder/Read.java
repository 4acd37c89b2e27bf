package dev.warmroute.benchmarks.recorder;

import dev.warmroute.recorder.trace.ColumnCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;

/** Reads time, session, chosen and kind of all decisions, three times: {@code Read DIRECTORY}. */
public final class Read {
    private Read() {}

    public static void main(String[] args) {
        for (int round = 1; round <= 3; round++) {
            long start = System.nanoTime();
            long rows = 0;
            long sum = 0;
            // opened anew, so that every round compares the checksums of all segments, as a command would
            try (ColumnCursor columns = Recording.open(Path.of(args[0]))
                    .columns(Topic.DECISIONS, "decided_us", "session", "chosen", "kind")) {
                while (columns.nextBatch()) {
                    long[] times = columns.longs(0);
                    String[] sessions = columns.texts(1);
                    String[] chosen = columns.texts(2);
                    String[] kinds = columns.texts(3);
                    for (int i = 0; i < columns.rows(); i++) {
                        sum += times[i] + sessions[i].length() + chosen[i].length() + kinds[i].length();
                    }
                    rows += columns.rows();
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    "read %d   %,d decisions in %.2f s: %,.0f/s (check %d)%n",
                    round, rows, seconds, rows / seconds, sum);
        }
    }
}

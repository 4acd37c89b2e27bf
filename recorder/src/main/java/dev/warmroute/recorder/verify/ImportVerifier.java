package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.ImportedTurns;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.recorder.verify.Verification.Difference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/**
 * Proves what can be proven of a trace that was imported and has requests only: its files are those that were written, every request is
 * there, in its place. Where the numbers of a conversation's turns leave some out it is counted, and no fault: some formats bring their
 * own. One pass, in constant memory but for a number a conversation.
 */
public final class ImportVerifier {
    private static final int PROGRESS_EVERY = 4_096;

    private final Differences differences;
    private final Map<String, Integer> turns = new HashMap<>();
    private long requests;
    private long misplaced;
    private long gaps;

    private ImportVerifier(int maxDifferences) {
        differences = new Differences(maxDifferences);
    }

    /**
     * Verifies an imported trace.
     *
     * @param maxDifferences how many differences to tell one by one; all are counted
     * @param progress hears the share that has been read
     * @throws dev.warmroute.router.UserError for a file that is not what was written
     */
    public static Verification verify(Recording recording, int maxDifferences, DoubleConsumer progress) {
        return new ImportVerifier(maxDifferences).run(recording, progress);
    }

    private Verification run(Recording recording, DoubleConsumer progress) {
        recording.verifyHashes();
        long expected = recording.manifest().imported().orElseThrow().requests();
        try (ImportedTurns imported = ImportedTurns.open(recording).orElseThrow()) {
            while (imported.hasNext()) {
                look(imported.next());
                if (requests % PROGRESS_EVERY == 0) {
                    progress.accept((double) requests / expected);
                }
            }
        }
        int files = recording.manifest().segments().size();
        return new Verification(
                0,
                0,
                List.of(
                        new Check(
                                "files", true, Check.EXACT, files + " files with the SHA-256 that the manifest names"),
                        new Check(
                                "requests",
                                requests == expected,
                                Check.EXACT,
                                requests + " read again, " + expected + " were imported"),
                        new Check(
                                "places", misplaced == 0, Check.EXACT, misplaced + " are not where their number says"),
                        new Check(
                                "turns",
                                true,
                                Check.NOT_ASKED,
                                turns.size() + " conversations; " + gaps
                                        + " turns do not have the number after the one before")),
                differences.first());
    }

    private void look(Turn turn) {
        if (turn.index() != requests) {
            misplaced++;
            differ(turn);
        }
        requests++;
        if (turn.hasSession()) {
            Integer before = turns.put(turn.affinityKey(), turn.turn());
            if (turn.turn() != (before == null ? 1 : before + 1)) {
                gaps++;
            }
        }
    }

    private void differ(Turn turn) {
        differences.add(new Difference(
                "places",
                turn.labels().request(),
                "request " + requests,
                turn.affinityKey(),
                "index",
                Integer.toString(turn.index()),
                Long.toString(requests)));
    }
}

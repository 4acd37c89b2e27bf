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
 * there, in its place, and the turns of each conversation follow one another. One pass, in constant memory but for a number a
 * conversation.
 */
public final class ImportVerifier {
    private static final int PROGRESS_EVERY = 4_096;

    private final Differences differences;
    private final Map<String, Integer> turns = new HashMap<>();
    private long requests;
    private long misplaced;
    private long outOfTurn;

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
                                outOfTurn == 0,
                                Check.EXACT,
                                outOfTurn + " of " + turns.size()
                                        + " conversations' turns do not follow the one before")),
                differences.first());
    }

    private void look(Turn turn) {
        if (turn.index() != requests) {
            misplaced++;
            differ("places", turn, "index", turn.index(), requests);
        }
        requests++;
        if (turn.hasSession()) {
            int due = turns.merge(turn.affinityKey(), 1, Integer::sum);
            if (turn.turn() != due) {
                outOfTurn++;
                differ("turns", turn, "turn", turn.turn(), due);
            }
        }
    }

    private void differ(String check, Turn turn, String field, long recorded, long derived) {
        differences.add(new Difference(
                check,
                turn.labels().request(),
                "request " + turn.index(),
                turn.affinityKey(),
                field,
                Long.toString(recorded),
                Long.toString(derived)));
    }
}

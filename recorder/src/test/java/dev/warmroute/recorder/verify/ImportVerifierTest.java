package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.trace.TurnTraceWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportVerifierTest {
    @TempDir
    Path directory;

    private Verification verification(long rows, int... turnNumbers) {
        Path trace = directory.resolve("t" + rows);
        try (TurnTraceWriter writer = TurnTraceWriter.create(trace, "test")) {
            for (int i = 0; i < turnNumbers.length; i++) {
                writer.append(new Turn(
                        i,
                        i,
                        "s",
                        "",
                        turnNumbers[i],
                        0,
                        Prompt.of(0, 10),
                        1,
                        Turn.freshOutput(i),
                        Turn.Recorded.NOTHING));
            }
            writer.complete(new Imported(
                    "mooncake", "m", "", 0, true, true, true, true, rows, 0, Prefixes.TOKENS.wireName(), List.of()));
        }
        return ImportVerifier.verify(Recording.open(trace), 1, share -> {});
    }

    @Test
    void numbersOfTurnsThatAreLeftOutAreCountedAndNoFault() {
        assertThat(turns(verification(3, 1, 2, 3))).startsWith("1 conversations; 0 turns");
        Verification missing = verification(4, 1, 3, 4, 5);
        assertThat(missing.ok()).isTrue();
        assertThat(turns(missing)).startsWith("1 conversations; 1 turns");
    }

    private static String turns(Verification verification) {
        return verification.checks().getLast().detail();
    }

    @Test
    void aRequestThatIsMissingIsCounted() {
        assertThat(verification(5, 1, 2, 3, 4).checks())
                .filteredOn(c -> !c.ok())
                .extracting(Verification.Check::detail)
                .containsExactly("4 read again, 5 were imported");
    }
}

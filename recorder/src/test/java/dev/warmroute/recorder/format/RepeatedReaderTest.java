package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.verify.ImportVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.UserError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatedReaderTest {
    private static final int SHARED = 128;

    @TempDir
    Path temp;

    private TraceSource source;
    private List<Turn> one;

    @BeforeEach
    void oneTrace() {
        RandomTurns.write(5, temp.resolve("one"));
        source = TraceSource.of(temp.resolve("one").toString());
        one = source.read().turns();
    }

    private List<Turn> copies(int n) {
        List<Turn> turns = new ArrayList<>();
        try (TraceReader reader = new RepeatedReader(source, n)) {
            reader.forEachRemaining(turns::add);
        }
        return turns;
    }

    @Test
    void eachCopyIsTheTraceWithConversationsOfItsOwnAndLater() {
        List<Turn> three = copies(3);
        long period = one.stream().mapToLong(Turn::arrivalNanos).max().orElseThrow()
                - one.get(0).arrivalNanos()
                + 1_000_000_000;
        assertThat(three).hasSize(3 * one.size());
        for (int i = 0; i < three.size(); i++) {
            int copy = i / one.size();
            Turn was = one.get(i % one.size());
            Turn is = three.get(i);
            String mark = copy == 0 ? "" : "~" + copy;
            assertThat(is.index()).isEqualTo(i);
            assertThat(is.arrivalNanos()).isEqualTo(was.arrivalNanos() + copy * period);
            assertThat(is.session()).isEqualTo(was.session() + mark);
            assertThat(is.labels().request()).isEqualTo(was.labels().request() + mark);
            assertThat(is.agent()).isEqualTo(was.agent());
            assertThat(is.turn()).isEqualTo(was.turn());
            assertThat(is.gapNanos()).isEqualTo(was.gapNanos());
            assertThat(is.prompt().tokens()).isEqualTo(was.prompt().tokens());
            assertThat(is.outputTokens()).isEqualTo(was.outputTokens());
            assertThat(is.recorded()).isEqualTo(was.recorded());
        }
    }

    @Test
    void whatPromptsHaveInCommonWithinACopyTheyKeepAndBetweenCopiesOnlyWhatAllBeginWith() {
        List<Turn> two = copies(2);
        int n = one.size();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                Prompt a = two.get(n + i).prompt();
                assertThat(a.commonPrefix(two.get(n + j).prompt()))
                        .isEqualTo(one.get(i).prompt().commonPrefix(one.get(j).prompt()));
                assertThat(a.commonPrefix(two.get(j).prompt()))
                        .isEqualTo(Math.min(
                                SHARED,
                                one.get(i).prompt().commonPrefix(one.get(j).prompt())));
            }
        }
        Set<Long> outputs = new HashSet<>();
        two.forEach(t -> assertThat(outputs.add(t.outputStart())).isTrue());
    }

    @Test
    void importedItIsVerifiedAndSaysWhatItIs() {
        Path directory = temp.resolve("four");
        TurnSummary summary;
        try (TraceReader reader = new RepeatedReader(source, 4)) {
            summary = TraceImport.run(
                    reader, directory, "test", share -> assertThat(share).isBetween(0.0, 1.0));
        }
        assertThat(summary.requests()).isEqualTo(4L * one.size());
        assertThat(summary.description().rows()).isEqualTo(4L * one.size());
        assertThat(summary.description().notes())
                .anyMatch(note -> note.startsWith("4 copies of the trace") && note.contains("128 tokens"));
        Verification verification = ImportVerifier.verify(Recording.open(directory), 5, share -> {});
        assertThat(verification.ok()).as("%s", verification).isTrue();
        assertThat(verification.checks())
                .extracting(Verification.Check::name)
                .containsExactly("files", "requests", "places", "turns");
    }

    @Test
    void copiesOfCopiesAreRefused() {
        Path two = temp.resolve("two");
        try (TraceReader reader = new RepeatedReader(source, 2)) {
            TraceImport.run(reader, two, "test", share -> {});
        }
        try (TraceReader reader = new RepeatedReader(TraceSource.of(two.toString()), 2)) {
            assertThatThrownBy(() -> reader.forEachRemaining(t -> {}))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("repeat the one they were made of");
        }
    }

    @Test
    void howOftenIsSaidWhenItIsTooOften() {
        assertThatThrownBy(() -> new RepeatedReader(source, 0)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> new RepeatedReader(source, 5_000))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("1 to 4096 times, not 5000");
    }
}

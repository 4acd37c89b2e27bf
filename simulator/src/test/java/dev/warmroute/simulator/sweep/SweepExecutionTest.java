package dev.warmroute.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepExecutionTest {
    @TempDir
    private Path directory;

    private static String content(Path sweep) throws IOException {
        return Files.readString(sweep.resolve(SweepDirectory.RESULTS))
                + Files.readString(sweep.resolve(SweepDirectory.MANIFEST));
    }

    /** @return scenarios that had to be computed */
    private static int run(Sweep sweep, Path into, boolean resume, int threads) {
        try (SweepDirectory opened = SweepDirectory.open(into, sweep, resume)) {
            return new SweepExecution(sweep, opened, new LocalRunner(threads))
                    .run(p -> {})
                    .computed();
        }
    }

    /** Runs until so many results are there. */
    private static void runPart(Sweep sweep, Path into, int results) {
        try (SweepDirectory opened = SweepDirectory.open(into, sweep, true)) {
            LocalRunner runner = new LocalRunner(1);
            SweepProgress end = new SweepExecution(sweep, opened, runner).run(p -> {
                if (p.done() == results) {
                    runner.stop();
                }
            });
            assertThat(end.done()).isEqualTo(results);
        }
    }

    @Test
    void theBytesDoNotDependOnThreadsInterruptionsOrHowAGridGrew() throws IOException {
        Sweep sweep = Grids.small(6);
        Path one = directory.resolve("one");
        run(sweep, one, false, 1);
        assertThat(Files.readAllLines(one.resolve(SweepDirectory.RESULTS))).hasSize(12);

        Path many = directory.resolve("many");
        run(sweep, many, false, 5);
        assertThat(content(many)).isEqualTo(content(one));

        Path stopped = directory.resolve("stopped");
        runPart(sweep, stopped, 3);
        runPart(sweep, stopped, 8);
        assertThat(run(sweep, stopped, true, 2)).isEqualTo(4);
        assertThat(content(stopped)).isEqualTo(content(one));

        Path grown = directory.resolve("grown");
        run(Grids.small(2), grown, false, 2);
        assertThat(run(sweep, grown, true, 2)).isEqualTo(8);
        assertThat(content(grown)).isEqualTo(content(one));
        assertThat(run(sweep, grown, true, 2)).isZero();
        assertThat(content(grown)).isEqualTo(content(one));

        try (Stream<Path> files = Files.list(one)) {
            assertThat(files.map(p -> p.getFileName().toString()))
                    .containsExactlyInAnyOrder(".lock", SweepDirectory.MANIFEST, SweepDirectory.RESULTS);
        }
    }

    @Test
    void aLineThatACrashCutOffIsComputedAgain() throws IOException {
        Sweep sweep = Grids.small(2);
        Path whole = directory.resolve("whole");
        run(sweep, whole, false, 1);
        Path crashed = directory.resolve("crashed");
        runPart(sweep, crashed, 2);
        Path results = crashed.resolve(SweepDirectory.RESULTS);
        byte[] lines = Files.readAllBytes(results);
        Files.write(results, Arrays.copyOf(lines, lines.length - 7));
        assertThat(run(sweep, crashed, true, 1)).isEqualTo(3);
        assertThat(content(crashed)).isEqualTo(content(whole));
    }

    @Test
    void whatIsNoJsonAndAllBehindItIsComputedAgain() throws IOException {
        Sweep sweep = Grids.small(1);
        runPart(sweep, directory, 1);
        Files.writeString(directory.resolve(SweepDirectory.RESULTS), "\0\0\0\n{}\n", StandardOpenOption.APPEND);
        assertThat(run(sweep, directory, true, 1)).isEqualTo(1);
    }

    @Test
    void aFaultOfWarmrouteIsNotTakenOver() throws IOException {
        Sweep sweep = Grids.small(2);
        Path sound = directory.resolve("sound");
        run(sweep, sound, false, 1);
        Path faulty = directory.resolve("faulty");
        run(sweep, faulty, false, 1);
        Path results = faulty.resolve(SweepDirectory.RESULTS);
        List<String> lines = new ArrayList<>(Files.readAllLines(results));
        String id = sweep.scenarios().keySet().stream().skip(1).findFirst().orElseThrow();
        byte[] fault =
                ScenarioResult.fault(id, new IllegalStateException("a defect")).json();
        lines.set(1, new String(fault, StandardCharsets.UTF_8));
        Files.write(results, lines);
        assertThat(run(sweep, faulty, true, 1)).isEqualTo(1);
        assertThat(content(faulty)).isEqualTo(content(sound));
    }

    @Test
    void aSweepThatIsThereIsNotRunOverUnlessAskedFor() {
        run(Grids.small(1), directory.resolve("s"), false, 1);
        assertRefused(Grids.small(1), false, "has a sweep already: go on with it with --resume");
    }

    @Test
    void whatDoesNotBelongToTheGridIsRefused() {
        run(Grids.small(2), directory.resolve("s"), false, 1);
        assertRefused(Grids.small(1), true, "has results of 2 scenarios that the grid no longer has");
        assertRefused(
                Grids.parse("{workload: l4-cliff, policies: warden}"),
                true,
                "has results of workload:lm-warden, the grid asks for workload:l4-cliff");
        assertRefused(
                Grids.parse("{workload: lm-warden, seconds: 11, policies: [random, warden], sessions: 3, seeds: 1..2}"),
                true,
                "the grid asks for another content or mode of it");
        Sweep other = Grids.small(2);
        assertRefused(
                Sweep.of("next", other.subject(), List.copyOf(other.scenarios().values())),
                true,
                "was begun by warmroute test, this is next");
    }

    @Test
    void aDirectoryWithOtherThingsInItIsLeftAlone() throws IOException {
        Path other = Files.createDirectory(directory.resolve("s"));
        Files.writeString(other.resolve("thesis.tex"), "x");
        assertRefused(Grids.small(1), true, "has other files in it, such as thesis.tex");
        assertThat(other.resolve(".lock")).doesNotExist();
    }

    @Test
    void twoSweepsDoNotWriteIntoOneDirectory() {
        try (SweepDirectory held = SweepDirectory.open(directory.resolve("s"), Grids.small(1), false)) {
            assertThat(held.results()).isEmpty();
            assertRefused(Grids.small(1), true, "another sweep writes to");
        }
    }

    private void assertRefused(Sweep sweep, boolean resume, String why) {
        assertThatThrownBy(() -> SweepDirectory.open(directory.resolve("s"), sweep, resume))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(why);
    }

    @Test
    void aWrongScenarioIsARowAndTheOthersAreComputed() {
        Sweep sweep = Grids.parse("{workload: lm-warden, seconds: 5, policies: warden, capacities: [8 tokens, 2095]}");
        try (SweepDirectory opened = SweepDirectory.open(directory.resolve("s"), sweep, false)) {
            SweepExecution execution = new SweepExecution(sweep, opened, new LocalRunner(1));
            SweepProgress end = execution.run(p -> {});
            assertThat(execution.rows())
                    .extracting(r -> r.result().reason().isEmpty())
                    .containsExactly(false, true);
            SweepSummary summary = SweepSummary.of("t", sweep, execution.rows(), end);
            assertThat(summary.wrong()).isEqualTo(1);
            assertThat(summary.policies()).singleElement().satisfies(p -> {
                assertThat(p.scenarios()).isEqualTo(2);
                assertThat(p.outputTokensPerMin())
                        .isEqualTo(execution
                                .rows()
                                .get(1)
                                .result()
                                .figures()
                                .orElseThrow()
                                .outputTokensPerMin());
            });
        }
    }

    @Test
    void aRunnerWhoseResultsCannotBeKeptFails() {
        List<ScenarioResult> kept = new ArrayList<>();
        Sweep sweep = Grids.small(4);
        assertThatThrownBy(() -> new LocalRunner(2)
                        .run(sweep, List.copyOf(sweep.scenarios().keySet()), r -> {
                            kept.add(r);
                            throw new UserError("the disk is full");
                        }))
                .hasMessage("the disk is full");
        assertThat(kept).hasSizeLessThan(4);
    }

    @Test
    void theSummarySaysHowOftenAPolicyIsTheBest() {
        Sweep sweep = Grids.parse("""
                workload: lm-warden
                seconds: 30
                policies: [random, warden]
                sessions: [4, 8]
                seeds: 1..2
                """);
        try (SweepDirectory opened = SweepDirectory.open(directory.resolve("s"), sweep, false)) {
            SweepExecution execution = new SweepExecution(sweep, opened, new LocalRunner(2));
            SweepProgress end = execution.run(p -> {});
            List<SweepSummary.OfPolicy> policies =
                    SweepSummary.of("t", sweep, execution.rows(), end).policies();
            assertThat(policies).extracting(SweepSummary.OfPolicy::points).containsExactly(2, 2);
            assertThat(policies.get(0).bestOutput() + policies.get(1).bestOutput())
                    .isBetween(2, 4);
        }
    }

    @Test
    void progressSaysHowLongItWillTake() {
        assertThat(new SweepProgress(0, 2000, 0, 0, 0).line()).isEqualTo("0 of 2,000 scenarios");
        assertThat(new SweepProgress(500, 2000, 100, 12, 10).line())
                .isEqualTo("500 of 2,000 scenarios, 10.0/s, 2 min 30 s to go");
        assertThat(new SweepProgress(1999, 2000, 1000, 100, 10).line()).endsWith("1 s to go");
        assertThat(new SweepProgress(2, 2000, 2, 100, 0.01).line()).endsWith("55 h 30 min to go");
    }
}

package dev.warmroute.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class FleetCheckTest {
    private static final EngineConfig ENGINE = EngineConfig.defaults()
            .withNumGpuBlocks(300)
            .withBlockSize(32)
            .withMaxNumSeqs(32)
            .withMaxNumBatchedTokens(512)
            .withMaxModelLen(8192);

    private static List<Path> cells(String names) throws IOException {
        Path folder = SharedData.folder("vllm-fleet");
        Assumptions.assumeTrue(Files.isDirectory(folder), "no recordings at " + folder);
        try (Stream<Path> list = Files.list(folder)) {
            return list.filter(f -> f.getFileName().toString().matches(names))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void noSeedsAreRefused() {
        assertThatThrownBy(() -> check(0)).isInstanceOf(UserError.class).hasMessageContaining("at least 1, not 0");
    }

    private static FleetCheck check(int seeds) {
        return new FleetCheck(ENGINE, seeds, FleetCheck.Tolerance.DEFAULT);
    }

    @Test
    void cachedTokensOfEveryRequestAreThoseOfTheEngineWhereItsCacheSuffices() throws IOException {
        FleetResult result = check(1).run(cells("warden-[48]\\..*"), FleetCheck.Mode.RECORDED, List.of());
        assertThat(result.cells().stream().mapToInt(FleetResult.Cell::requests).sum())
                .isEqualTo(437);
        assertThat(result.cells().stream()
                        .mapToInt(c -> c.exactRequests().orElseThrow())
                        .sum())
                .isEqualTo(437);
        assertThat(result.ok()).isTrue();
    }

    @Test
    void cachedTokensOfEveryCellAreWithinThreePercentWithRecordedTimes() throws IOException {
        FleetResult result = check(1).run(cells(".*"), FleetCheck.Mode.RECORDED, List.of());
        assertThat(result.cells()).hasSizeGreaterThanOrEqualTo(9);
        assertThat(result.complaints()).isEmpty();
        assertThat(result.cells().stream()
                        .mapToInt(c -> c.exactRequests().orElseThrow())
                        .sum())
                .isGreaterThan(95
                        * result.cells().stream()
                                .mapToInt(FleetResult.Cell::requests)
                                .sum()
                        / 100);
    }

    @Test
    void affinityIsPredictedFromTheRandomCells() throws IOException {
        FleetResult result = check(10).run(cells(".*"), FleetCheck.Mode.WHAT_IF, List.of(12));
        assertThat(result.complaints()).isEmpty();
        assertThat(result.maePp()).isLessThanOrEqualTo(1.0);
        assertThat(result.worstPp()).isLessThanOrEqualTo(4.0);
        assertThat(result.signs()).isEqualTo(new FleetResult.Signs(result.pairs(), result.pairs(), result.pairs()));
        assertThat(result.pairs()).isGreaterThanOrEqualTo(4);
        assertThat(result.curve()).hasSize(2).allMatch(p -> p.sessions() == 12);
    }

    @Test
    void thePredictionDoesNotReadWhatItPredicts() throws IOException {
        FleetResult with = check(2).run(cells("(random-(4|16)|warden-16)\\..*"), FleetCheck.Mode.WHAT_IF, List.of());
        FleetResult without = check(2).run(cells("random-(4|16)\\..*"), FleetCheck.Mode.WHAT_IF, List.of(16));
        assertThat(with.timing()).isEqualTo(without.timing());
        assertThat(without.curve().get(1).hitPredictedPct())
                .isEqualTo(with.cells().get(2).hitPredictedPct());
    }

    @Test
    void somethingOutsideItsToleranceIsNamed() throws IOException {
        FleetCheck strict = new FleetCheck(ENGINE, 1, new FleetCheck.Tolerance(0, 0, 0));
        FleetResult result = strict.run(cells("random-(4|8)\\..*"), FleetCheck.Mode.WHAT_IF, List.of());
        assertThat(result.ok()).isFalse();
        assertThat(result.complaints()).hasSize(2);
    }

    @Test
    void withoutARandomCellNothingCanBePredicted() throws IOException {
        List<Path> warden = cells("warden-4\\..*");
        assertThatThrownBy(() -> check(1).run(warden, FleetCheck.Mode.WHAT_IF, List.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("random placement");
    }

    @Test
    void twoRunsGiveTheSame() throws IOException {
        List<Path> cells = cells("(random|warden)-8\\..*");
        assertThat(check(4).run(cells, FleetCheck.Mode.WHAT_IF, List.of()))
                .isEqualTo(check(4).run(cells, FleetCheck.Mode.WHAT_IF, List.of()));
    }
}

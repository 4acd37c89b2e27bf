package dev.warmroute.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Data;
import dev.warmroute.simulator.replay.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RuleCheckTest {
    private static final EngineConfig CELL = EngineConfig.defaults()
            .withNumGpuBlocks(300)
            .withBlockSize(32)
            .withMaxNumSeqs(32)
            .withMaxNumBatchedTokens(512);

    @Test
    void ofFleetsDrawnAtRandomTheRuleNeverSaysFitsWhereTheCacheIsLost() {
        RuleResult result = new RuleCheck(CELL, 2).run(List.of(), 40, 7, Progress.NONE);
        assertThat(result.synthetic()).hasSize(40);
        assertThat(result.synthetic())
                .filteredOn(f -> f.rule() == Verdict.FITS && f.lostPp().orElseThrow() > RuleCheck.LIMIT_PP)
                .isEmpty();
        assertThat(result.falseGreens()).isZero();
        assertThat(result.ok()).isTrue();
        assertThat(result.verdicts())
                .allSatisfy(
                        v -> assertThat(v.cases()).as(v.verdict().wireName()).isPositive());
    }

    @Test
    void onRecordedCellsTheRuleSaysFitsOnlyWhereNoCacheWasLost() {
        List<Path> cells = Stream.of("warden-4", "warden-8", "warden-16", "warden-32")
                .map(name -> Data.file("vllm-fleet/" + name + ".jsonl.gz"))
                .toList();
        RuleResult result = new RuleCheck(CELL, 2).run(cells, 0, 1, Progress.NONE);
        assertThat(result.falseGreens()).isZero();
        assertThat(result.cells()).extracting(RuleResult.Cell::sessions).containsExactly(4, 8, 16, 32);
        assertThat(result.cells().get(0).rule()).isEqualTo(Verdict.FITS);
        assertThat(result.cells().get(3).rule()).isEqualTo(Verdict.DOES_NOT_FIT);
        assertThat(result.cells().get(0).measuredLostPp().orElseThrow()).isLessThan(RuleCheck.LIMIT_PP);
        assertThat(result.cells().get(3).measuredLostPp().orElseThrow()).isGreaterThan(RuleCheck.LIMIT_PP);
    }

    @Test
    void theStudyIsTheSameForAnyNumberOfThreads() {
        RuleResult one = new RuleCheck(CELL, 1).run(List.of(), 6, 3, Progress.NONE);
        assertThat(new RuleCheck(CELL, 4).run(List.of(), 6, 3, Progress.NONE)).isEqualTo(one);
    }

    @Test
    void aStudyWithoutACaseThatFitsTestsNothing() {
        assertThat(RuleCheck.result(1, List.of(), List.of(fleet(Verdict.DOES_NOT_FIT, OptionalDouble.of(70))))
                        .ok())
                .isFalse();
        assertThat(RuleCheck.result(1, List.of(), List.of(fleet(Verdict.FITS, OptionalDouble.of(80))))
                        .ok())
                .isTrue();
    }

    @Test
    void aCaseThatServedNothingIsNotOneThatKeptItsCache() {
        RuleResult result = RuleCheck.result(
                1,
                List.of(),
                List.of(fleet(Verdict.FITS, OptionalDouble.of(80)), fleet(Verdict.FITS, OptionalDouble.empty())));
        assertThat(result.untested()).isOne();
        assertThat(result.falseGreens()).isZero();
        assertThat(result.verdicts().get(0).cases()).isEqualTo(2);
        assertThat(result.verdicts().get(0).kept()).isOne();
        assertThat(result.ok()).isFalse();
    }

    private static RuleResult.Fleet fleet(Verdict rule, OptionalDouble hitPct) {
        OptionalDouble lost =
                hitPct.isPresent() ? OptionalDouble.of(81 - hitPct.getAsDouble()) : OptionalDouble.empty();
        return new RuleResult.Fleet(1, "test", 2, 10_000, 4, 6, 0.5, 0.6, rule, OptionalDouble.of(81), hitPct, lost);
    }

    @Test
    void nothingToLookAtIsRefused() {
        assertThatThrownBy(() -> new RuleCheck(CELL, 1).run(List.of(), 0, 1, Progress.NONE))
                .isInstanceOf(UserError.class);
    }
}

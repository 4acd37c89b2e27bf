package dev.warmroute.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.replay.Data;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.validate.PublishedCheck.Tolerance;
import dev.warmroute.simulator.validate.PublishedResult.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedCheckTest {
    @Test
    void publishedMeasurementsArePredicted() {
        Path tables = Data.file("published/" + PublishedCheck.TTFT_FILE).getParent();
        PublishedResult result = new PublishedCheck(tables, 2, Tolerance.DEFAULT).run();
        assertThat(result.complaints()).isEmpty();
        assertThat(result.ok()).isTrue();
        assertThat(result.ttftWorstPct()).isLessThanOrEqualTo(12);
        assertThat(result.saturationErrorPct()).isBetween(-5.0, 5.0);
        assertThat(result.knee().contains()).isTrue();
        assertThat(result.machines().get(0).rows()).hasSizeGreaterThan(25);
    }

    @Test
    void everyParameterSaysWhereItComesFrom() {
        assertThat(PublishedMachine.RTX_5090.parameters())
                .extracting(Parameter::origin)
                .containsOnly("first principles", "fitted", "assumed");
        assertThat(PublishedMachine.L4.parameters())
                .extracting(Parameter::origin)
                .containsOnly("first principles", "assumed");
        assertThat(PublishedMachine.RTX_5090.parameters().stream()
                        .filter(p -> p.origin().equals("fitted")))
                .hasSameSizeAs(PublishedMachine.RTX_5090.fitted());
    }

    /** The workload's file repeats what follows from model and card, for runs of the workload by itself. */
    @Test
    void theCliffsWorkloadHasTheMachineThatIsDerived() {
        WorkloadSpec workload = WorkloadSpec.named("l4-cliff");
        long tokens = (long) PublishedMachine.L4.usableBlocks() * 16;
        assertThat((double) workload.fleet().capacityTokens()).isCloseTo(tokens, within(0.03 * tokens));
        assertThat(workload.fleet().maxNumBatchedTokens())
                .isEqualTo(PublishedMachine.L4.engine().maxNumBatchedTokens());
        assertThat(workload.fleet().maxNumSeqs())
                .isEqualTo(PublishedMachine.L4.engine().maxNumSeqs());
    }

    @Test
    void whatIsOffIsSaid(@TempDir Path dir) throws Exception {
        Files.writeString(
                dir.resolve(PublishedCheck.TTFT_FILE), "prompt_tokens,cold_ttft_ms,warm_ttft_p50_ms\n1024,80,16\n");
        Files.writeString(
                dir.resolve(PublishedCheck.OPEN_LOOP_FILE),
                "qps,ttft_p50_ms,tpot_ms,output_tokens_per_s\n1,57.8,6.65,\n");
        PublishedResult result = new PublishedCheck(dir, 1, Tolerance.DEFAULT).run();
        assertThat(result.ok()).isFalse();
        assertThat(result.complaints()).singleElement().asString().contains("ttft_cold_ms at 1024.0 is off by -");
    }

    @Test
    void aTableWithoutRowsIsRefused(@TempDir Path dir) throws Exception {
        String prompts = "prompt_tokens,cold_ttft_ms,warm_ttft_p50_ms\n";
        Files.writeString(dir.resolve(PublishedCheck.TTFT_FILE), prompts);
        Files.writeString(dir.resolve(PublishedCheck.OPEN_LOOP_FILE), "qps,ttft_p50_ms,tpot_ms,output_tokens_per_s\n");
        assertThatThrownBy(() -> new PublishedCheck(dir, 1, Tolerance.DEFAULT).run())
                .isInstanceOf(UserError.class)
                .hasMessageContaining(PublishedCheck.TTFT_FILE + " has no rows");
        Files.writeString(dir.resolve(PublishedCheck.TTFT_FILE), prompts + "1024,80,16\n");
        assertThatThrownBy(() -> new PublishedCheck(dir, 1, Tolerance.DEFAULT).run())
                .isInstanceOf(UserError.class)
                .hasMessageContaining(PublishedCheck.OPEN_LOOP_FILE + " has no rows");
    }

    @Test
    void noSeedsAreRefused(@TempDir Path dir) {
        assertThatThrownBy(() -> new PublishedCheck(dir, 0, Tolerance.DEFAULT))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("at least 1, not 0");
    }

    @Test
    void aMissingTableIsNamed(@TempDir Path dir) {
        assertThatThrownBy(() -> new PublishedCheck(dir, 1, Tolerance.DEFAULT).run())
                .isInstanceOf(UserError.class)
                .hasMessageContaining(PublishedCheck.TTFT_FILE);
    }
}

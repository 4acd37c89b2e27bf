package dev.warmroute.simulator.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CapacityResolverTest {
    private static final KvSettings SETTINGS = KvSettings.defaults(Gpus.named("RTX A4000"));
    private static final KvCapacity REPORTED = KvCapacity.reported(2101, 16);
    private static final KvCapacity GIVEN = KvCapacity.given(40_000, 16);
    private static final KvCapacity DERIVED = DerivedCapacity.of(
                    Models.named("Qwen3-4B"), Gpus.named("RTX A4000"), SETTINGS)
            .likely();

    @Test
    void whatTheEngineReportedComesFirst() {
        assertThat(chosen(DERIVED, GIVEN, REPORTED)).isEqualTo(REPORTED);
        assertThat(chosen(REPORTED, DERIVED)).isEqualTo(REPORTED);
        assertThat(chosen(DERIVED, GIVEN)).isEqualTo(GIVEN);
        assertThat(chosen(DERIVED)).isEqualTo(DERIVED);
        assertThat(CapacityResolver.resolve(List.of())).isEqualTo(Optional.empty());
    }

    @Test
    void aSourceThatDisagreesIsMentioned() {
        assertThat(CapacityResolver.resolve(List.of(GIVEN, REPORTED))
                        .orElseThrow()
                        .notes())
                .containsExactly(
                        "the reported capacity is 33600 tokens, the given one 40000 (+19 %); the reported one is used");
        assertThat(CapacityResolver.resolve(List.of(KvCapacity.given(34_000, 16), REPORTED))
                        .orElseThrow()
                        .notes())
                .isEmpty();
    }

    @Test
    void aGivenCapacityIsUsableTokensInWholeBlocks() {
        assertThat(GIVEN.usableTokens()).isEqualTo(40_000);
        assertThat(GIVEN.numGpuBlocks()).isEqualTo(2501);
        assertThat(KvCapacity.given(40_015, 16).usableTokens()).isEqualTo(40_000);
    }

    @Test
    void sourcesAreWrittenInLowerCase() {
        assertThat(CapacitySource.REPORTED.wireName()).isEqualTo("reported");
        assertThat(CapacitySource.of("derived")).isEqualTo(CapacitySource.DERIVED);
    }

    @Test
    void smallerOverheadsLeaveMoreRoom() {
        MemoryOverheads overheads = new MemoryOverheads(1, 0.3, 0.3);
        DerivedCapacity with = DerivedCapacity.of(Models.named("Qwen3-4B"), Gpus.named("A4000"), SETTINGS, overheads);
        DerivedCapacity without = DerivedCapacity.of(
                Models.named("Qwen3-4B"), Gpus.named("A4000"), SETTINGS, new MemoryOverheads(0, 0, 0));

        assertThat(without.availableGib() - with.availableGib())
                .isCloseTo(1.6, org.assertj.core.data.Offset.offset(1e-9));
        assertThat(without.low()).isEqualTo(without.high());
    }

    @Test
    void aModelThatDoesNotFitIsRefusedWithItsSizes() {
        ModelSpec large = Models.named("Llama-3.1-70B");
        GpuSpec a100 = Gpus.named("A100");
        KvSettings settings = KvSettings.defaults(a100);

        assertThatThrownBy(() -> DerivedCapacity.of(large, a100, settings))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Llama-3.1-70B in bf16 does not fit one card on A100-80GB SXM")
                .hasMessageContaining("131.5 GiB of weights");
        assertThat(DerivedCapacity.of(large, a100, settings.withTensorParallel(4))
                        .likely()
                        .usableTokens())
                .isGreaterThan(400_000);
    }

    @Test
    void theOffloadTierHasTheBytesOfEveryRank() {
        KvLayout layout = KvLayout.of(Models.named("Llama-3.1-8B"), SETTINGS.withTensorParallel(2));

        OffloadTier tier = OffloadTier.of(layout, 2, 64, 1);

        assertThat(tier.bytesPerBlock()).isEqualTo(131_072 * 16);
        assertThat(tier.blocks()).isEqualTo(32_768);
        assertThat(tier.tokens()).isEqualTo(524_288);
        assertThat(OffloadTier.of(layout, 2, 64, 4)).isEqualTo(new OffloadTier(8192, 64, 131_072 * 64));
        assertThat(OffloadTier.of(layout, 2, 0, 1).blocks()).isZero();
        assertThatThrownBy(() -> OffloadTier.of(KvLayout.ofBlockSize(16), 1, 64, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("say which model it is");
    }

    private static KvCapacity chosen(KvCapacity... known) {
        return CapacityResolver.resolve(List.of(known)).orElseThrow().capacity();
    }
}

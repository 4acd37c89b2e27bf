package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.EngineDefaults;
import dev.warmroute.simulator.kv.EngineDefaults.Usage;
import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.VllmVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each switch of a profile, between the last version without it and the first with it. */
class EngineProfileTest {
    private static final int BLOCK = 16;
    private static final GpuSpec A4000 = Gpus.named("RTX A4000");
    private static final GpuSpec H100 = Gpus.named("H100 SXM");
    private static final GpuSpec B200 = Gpus.named("B200 SXM");

    /** A small synchronous engine of a version. */
    private static EngineConfig small(EngineProfile profile, int usableBlocks) {
        return profile.config(A4000).withAsyncScheduling(false).withUsableBlocks(usableBlocks);
    }

    private static Engine engine(EngineConfig config) {
        return new Engine(config, new ChainInterner(config.blockSize()), EngineListener.NONE);
    }

    /** A prompt of whole blocks of content {@code name}. */
    private static Prompt prompt(int name, int blocks) {
        return Prompt.of((long) name << 32, blocks * BLOCK);
    }

    private static void serve(Engine engine, Prompt prompt) {
        engine.add(prompt, 1, 1L << 60);
        while (engine.hasRequests()) {
            engine.step();
        }
    }

    @Test
    void countersCountBlocksUntil09() {
        Engine old = engine(small(EngineProfile.V0_8_3, 100));
        Engine young = engine(small(EngineProfile.V0_9, 100));
        for (Engine engine : List.of(old, young)) {
            serve(engine, prompt(1, 4));
            serve(engine, Prompt.builder().all(prompt(1, 4)).span(7, 5).build());
        }
        assertThat(old.counters().queries()).isEqualTo(4 + 4);
        assertThat(old.counters().hits()).isEqualTo(4);
        assertThat(young.counters().queries()).isEqualTo(64 + 69);
        assertThat(young.counters().hits()).isEqualTo(64);
    }

    @Test
    void anAttemptThatFailsCountsUntil026() {
        Engine old = engine(small(EngineProfile.V0_24, 10));
        Engine young = engine(small(EngineProfile.V0_26, 10));
        for (Engine engine : List.of(old, young)) {
            engine.add(prompt(1, 6), 6, 1L << 60);
            engine.add(prompt(2, 6), 1, 1L << 61);
            while (engine.hasRequests()) {
                engine.step();
            }
        }
        assertThat(young.counters().queries()).isEqualTo(2 * 96);
        // The second waits for the six steps of the first.
        assertThat(old.counters().queries()).isEqualTo(2 * 96 + 6 * 96);
    }

    @Test
    void aRequestThatComesBackFromPreemptionCountsAgainUntil011() {
        Engine old = engine(small(EngineProfile.V0_9_1, 9));
        Engine young = engine(small(EngineProfile.V0_11, 9));
        for (Engine engine : List.of(old, young)) {
            engine.add(prompt(1, 4), 20, 1L << 60);
            engine.add(prompt(2, 4), 20, 1L << 61);
            while (engine.hasRequests()) {
                engine.step();
            }
            assertThat(engine.counters().preemptions()).isEqualTo(1);
        }
        assertThat(young.counters().queries()).isEqualTo(2 * 64);
        assertThat(young.counters().hits()).isZero();
        assertThat(old.counters().queries()).isGreaterThan(2 * 64);
        assertThat(old.counters().hits()).as("it hits its own blocks").isPositive();
    }

    @Test
    void blocksWithoutContentAreReusedFirstFrom024() {
        Engine old = engine(small(EngineProfile.V0_21, 4));
        Engine young = engine(small(EngineProfile.V0_24, 4));
        List<Integer> kept = new ArrayList<>();
        for (Engine engine : List.of(old, young)) {
            serve(engine, prompt(1, 2)); // two cached blocks
            serve(engine, Prompt.of(5L << 32, 3)); // a partial one: back at the tail, or at the head of the queue
            serve(engine, Prompt.of(6L << 32, 2 * BLOCK - 1)); // needs two
            kept.add(engine.cachedPrefix(Prompt.of(1L << 32, 3 * BLOCK)));
        }
        assertThat(kept).containsExactly(BLOCK, 2 * BLOCK);
    }

    @Test
    void aWholeSequenceMustFitFrom019() {
        Engine old = engine(small(EngineProfile.V0_14, 300).withMaxNumBatchedTokens(512));
        Engine young = engine(small(EngineProfile.V0_19, 300).withMaxNumBatchedTokens(512));
        for (Engine engine : List.of(old, young)) {
            engine.add(prompt(1, 200), 40, 1L << 60);
            for (int i = 0; i < 7; i++) {
                engine.step(); // 200 of 300 blocks are taken
            }
            engine.add(prompt(2, 150), 1, 1L << 61); // 150 blocks, of which the first chunk takes 32
            engine.step();
        }
        assertThat(old.running()).isEqualTo(2);
        assertThat(young.running()).isEqualTo(1);
    }

    @Test
    void oneBlockIsSetAsideFrom083() {
        assertThat(EngineProfile.V0_8_0.config(A4000).withNumGpuBlocks(100).usableBlocks())
                .isEqualTo(100);
        assertThat(EngineProfile.V0_8_3.config(A4000).withNumGpuBlocks(100).usableBlocks())
                .isEqualTo(99);
    }

    @Test
    void asynchronousSchedulingIsTheDefaultFrom014() {
        Engine old = engine(EngineProfile.V0_11.config(A4000));
        Engine young = engine(EngineProfile.V0_14.config(A4000));
        assertThat(old.depth()).isEqualTo(1);
        assertThat(young.depth()).isEqualTo(2);
        for (Engine engine : List.of(old, young)) {
            engine.add(prompt(1, 1), 2, 1L << 60);
            engine.step();
        }
        assertThat(old.counters().generatedTokens()).isEqualTo(1);
        assertThat(young.counters().generatedTokens())
                .as("known one step later")
                .isZero();
    }

    @Test
    void aLoneRequestIsNotHeldToTheLongPrefillThresholdFrom032() {
        Engine old = engine(small(EngineProfile.V0_28, 300).withLongPrefillTokenThreshold(64));
        Engine young = engine(small(EngineProfile.V0_32, 300).withLongPrefillTokenThreshold(64));
        old.add(prompt(1, 10), 1, 1L << 60);
        young.add(prompt(1, 10), 1, 1L << 60);
        assertThat(old.schedule().tokens(0)).isEqualTo(64);
        assertThat(young.schedule().tokens(0)).isEqualTo(160);
    }

    @Test
    void budgetsFollowTheCardAndTheVersion() {
        assertThat(EngineProfile.V0_9.config(H100).maxNumSeqs()).isEqualTo(256);
        assertThat(EngineProfile.V0_9_1.config(H100).maxNumSeqs()).isEqualTo(1024);
        assertThat(EngineProfile.V0_26.config(B200).maxNumBatchedTokens()).isEqualTo(8192);
        assertThat(EngineProfile.V0_28.config(B200).maxNumBatchedTokens()).isEqualTo(16384);
        assertThat(EngineProfile.V0_28.config(H100).maxNumBatchedTokens()).isEqualTo(8192);
        assertThat(EngineProfile.V0_28.config(A4000).maxNumBatchedTokens()).isEqualTo(2048);
        assertThat(EngineProfile.V0_28.config(A4000).maxNumSeqs()).isEqualTo(256);
    }

    /** A version between two profiles has the older one's budgets, so these may change only where a profile begins. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.8.2", "0.8.5", "0.9.0", "0.9.2", "0.10.2", "0.13.0", "0.16.0", "0.20.2", "0.22.1", "0.23.0",
                "0.25.1", "0.27.1", "0.31.0", "0.32.0", "0.33.0"
            })
    void budgetsAreThoseOfTheVersionItself(String text) {
        VllmVersion version = VllmVersion.parse(text);
        VllmVersion profile = EngineProfile.of(version).since();
        for (GpuSpec gpu : Gpus.all()) {
            assertThat(EngineDefaults.of(gpu, profile, Usage.SERVER))
                    .as("%s on %s", version, gpu.name())
                    .isEqualTo(EngineDefaults.of(gpu, version, Usage.SERVER));
        }
    }

    @Test
    void recurrentStatesAreCachedByDefaultFrom028() {
        EngineDefaults budgets = EngineDefaults.of(H100);
        List<KvGroup> hybrid = List.of(new KvGroup.Full(), new KvGroup.GatedDelta());
        assertThat(EngineProfile.V0_26.config(budgets, hybrid).prefixCaching()).isFalse();
        assertThat(EngineProfile.V0_28.config(budgets, hybrid).prefixCaching()).isTrue();
        assertThat(EngineProfile.V0_26.config(budgets, KvGroup.FULL_ONLY).prefixCaching())
                .isTrue();
    }

    @Test
    void theNewestOnAnH100IsTheDefault() {
        assertThat(EngineProfile.newest().config(H100)).isEqualTo(EngineConfig.defaults());
    }

    @Test
    void aVersionBetweenTwoIsTheOlder() {
        assertThat(profileOf("0.22.1")).isEqualTo(EngineProfile.V0_21);
        assertThat(profileOf("v0.9")).isEqualTo(EngineProfile.V0_9);
        assertThat(profileOf("0.8.5.post1")).isEqualTo(EngineProfile.V0_8_3);
        assertThat(profileOf("0.32.0+cpu")).isEqualTo(EngineProfile.V0_32);
        assertThat(profileOf("0.40.0rc1")).isEqualTo(EngineProfile.V0_32);
        assertThatThrownBy(() -> profileOf("0.7.3"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("vLLM 0.7.3 is older than all that are simulated: 0.8.0, 0.8.3, ");
    }

    private static EngineProfile profileOf(String version) {
        return EngineProfile.of(VllmVersion.parse(version));
    }
}

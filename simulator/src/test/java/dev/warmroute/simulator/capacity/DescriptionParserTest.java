package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptionParserTest {
    @TempDir
    private Path directory;

    private static CapacityResult answer(String text) {
        FleetDescription description = DescriptionParser.parse(text);
        return CapacityAnalysis.ofDemand(description.demand(), description.request(Optional.empty()), share -> {});
    }

    @Test
    void sevenCardsDoNotHold26SessionsOf58000TokensAndHold16() {
        CapacityResult many = answer("replicas=7,capacity_tokens=195000,sessions=26,context=58000,shared=5000");
        assertThat(many.verdict()).contains(Verdict.DOES_NOT_FIT);
        assertThat(many.limit()).contains(Limit.CACHE);
        assertThat(many.sessionsFit()).contains(new SessionsFit(21, 21));
        assertThat(many.headroom().orElseThrow().sessions()).isEqualTo(-5);
        assertThat(many.capacitySource()).isEqualTo("given");
        assertThat(many.rule().orElseThrow().replicas()).hasSize(7);
        assertThat(many.rule().orElseThrow().replicas().get(0).sessions()).isEqualTo(4);

        CapacityResult few = answer("replicas=7,capacity_tokens=195000,sessions=16,context=58000,shared=5000");
        assertThat(few.verdict()).contains(Verdict.FITS);
        assertThat(few.headroom().orElseThrow().sessions()).isEqualTo(5);
    }

    @Test
    void fourA4000HoldAboutAsManySessionsAsWereMeasured() {
        CapacityResult result =
                answer("replicas=4, model=Qwen3-4B, gpu=RTX A4000, sessions=12, context=12500, shared=3500");
        SessionsFit fit = result.sessionsFit().orElseThrow();
        assertThat(fit.low()).isGreaterThanOrEqualTo(8);
        assertThat(fit.high()).isLessThanOrEqualTo(18);
        assertThat(result.capacitySource()).isEqualTo("derived");
        CapacityResult.Cache cache = result.cache().orElseThrow();
        assertThat(cache.tokensLow()).isLessThan(cache.tokens());
        assertThat(cache.tokensHigh()).isGreaterThan(cache.tokens());
        assertThat(cache.explanation()).contains("Qwen3-4B on RTX A4000", "GiB of weights");
    }

    /** The published cliff lies between 12 and 14: 10k shared, twelve turns of about 1k each. */
    @Test
    void theKneeOfTheL4LiesWhereItWasMeasured() {
        String machine = "replicas=1,model=Qwen3-4B,dtype=fp8,gpu=L4,sessions=12,shared=10000,";
        SessionsFit grown =
                answer(machine + "context=22800,growth=1000").sessionsFit().orElseThrow();
        assertThat(grown.low()).isLessThanOrEqualTo(12);
        assertThat(grown.high()).isGreaterThanOrEqualTo(14);
        assertThat(answer(machine + "context=16900,context_p95=22800").sessionsFit())
                .isPresent()
                .hasValueSatisfying(fit -> assertThat(fit.low() <= 12 && fit.high() >= 14)
                        .as("%s", fit)
                        .isTrue());
    }

    @Test
    void growthSpreadsTheContextsFromTheFirstTurnToTheLast() {
        Demand demand = DescriptionParser.parse("capacity_tokens=9999,shared=100,growth=50,context=250,output=7")
                .demand();
        assertThat(demand.contextMeanTokens()).isEqualTo(200);
        assertThat(demand.contextP95Tokens()).isCloseTo(245, within(1e-9));
        assertThat(demand.outputP95Tokens()).isEqualTo(7);
        assertThat(demand.sessions()).isZero();
    }

    @Test
    void aGivenCapacityGoesBeforeTheDerivedOneWhichIsToldWhereItDisagrees() {
        CapacityResult result = answer("capacity_tokens=20000,model=Qwen3-4B,gpu=A4000,context=5000");
        assertThat(result.cache().orElseThrow().usableBlocks()).isEqualTo(1250);
        assertThat(result.capacitySource()).isEqualTo("given");
        assertThat(result.cache().orElseThrow().explanation()).contains("20000 tokens, given", "the derived one");
    }

    @Test
    void whatAHybridCannotReuseIsSaidAndItsStatesCount() {
        String hybrid = "model=Qwen3.6-27B-FP8,gpu=H100,sessions=2,";
        assertThat(answer(hybrid + "context=700").warnings())
                .anyMatch(w -> w.contains("784") && w.contains("never reused"));
        assertThat(answer(hybrid + "context=9000,shared=500").warnings())
                .anyMatch(w -> w.contains("shared prefix of 500"));
        assertThat(answer(hybrid + "context=9000,shared=2000").warnings()).noneMatch(w -> w.contains("never"));
        CapacityResult roomy = answer(hybrid + "context=7840");
        assertThat(roomy.cache().orElseThrow().blockSize()).isEqualTo(784);
        // ten blocks of full attention and one state in each of three groups
        assertThat(roomy.rule().orElseThrow().replicas().get(0).demandMeanTokens())
                .isEqualTo(2 * (10 + 3) * 784);
        assertThat(answer("model=Qwen3-4B,gpu=L4,context=7").warnings()).isEmpty();
    }

    @Test
    void aFileHasTheSameKeys() throws Exception {
        Path file = directory.resolve("fleet.yaml");
        Files.writeString(
                file, "replicas: 2\nmodel: Qwen3-8B-AWQ\ngpu: L4\ngpu_memory_utilization: 0.9\ncontext: 9000\n");
        FleetDescription read = DescriptionParser.parse(file.toString());
        assertThat(read)
                .isEqualTo(DescriptionParser.parse(
                        "replicas=2,model=Qwen3-8B-AWQ,gpu=L4,gpu_memory_utilization=0.9,context=9000"));
        assertThat(read.served().orElseThrow().settings().weightDtype().wireName())
                .isEqualTo("int4");
    }

    @Test
    void aWrongKeyInAFileIsNamedWithTheFileAndTheNearestKey() throws Exception {
        Path file = directory.resolve("fleet.yaml");
        Files.writeString(file, "replicas: 2\ncapacity_tokens: 9000\ncontext: 5\ngrowth_per_dya: 2\n");
        assertThatThrownBy(() -> DescriptionParser.parse(file.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(file + ": unknown key 'growth_per_dya'; nearest: growth_per_day");
    }

    @Test
    void growthAndHostMemoryAreDescribedToo() {
        CapacityResult grown =
                answer("replicas=7,capacity_tokens=195000,sessions=16,context=58000,shared=5000,growth_per_day=2.5");
        CapacityResult.Headroom headroom = grown.headroom().orElseThrow();
        double demand = grown.rule().orElseThrow().machine().utilisationMean() * 7 * 195_000;
        assertThat(headroom.days().orElseThrow()).isCloseTo(headroom.tokens() / (0.025 * demand), within(0.1));
        assertThat(headroom.growth()).isEqualTo("2.5 % of today's demand a day, given");
        assertThat(answer("capacity_tokens=195000,sessions=1,context=58000")
                        .headroom()
                        .orElseThrow()
                        .days())
                .isEmpty();

        FleetDescription host =
                DescriptionParser.parse("model=Qwen3-4B,gpu=RTX A4000,sessions=6,context=12500,cpu_offload_gib=8");
        CapacityResult answer = CapacityAnalysis.ofDemand(
                host.demand(), host.request(Optional.of(host.check(1).atMost(60))), share -> {});
        assertThat(answer.warnings())
                .singleElement()
                .asString()
                .contains("host memory holds another", "the cards alone, where 3");
        assertThat(answer.simulation().orElseThrow().row().externalHits()).isPresent();
    }

    @Test
    void aLongPromptOfASlidingModelOverwritesWhatFits() {
        String gemma = "model=Gemma-3-27B,gpu=H100,sessions=2,shared=2000,context=";
        CapacityResult collapses = answer(gemma + 60_000);
        assertThat(collapses.verdict()).contains(Verdict.EDGE);
        assertThat(collapses.warnings()).singleElement().asString().contains("takes and gives back", "hits collapse");
        CapacityResult fits = answer(gemma + 4_000);
        assertThat(fits.verdict()).contains(Verdict.FITS);
        assertThat(fits.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "context=5,capacity_tokens=99,cpu_offload_gib=4 | cpu_offload_gib needs model and gpu",
                "context=5,model=Qwen3-4B,gpu=L4,cpu_offload_gib=-4 | cpu_offload_gib must be above 0",
                "context=5,capacity_tokens=99,growth_per_day=much | growth_per_day is 'much', expected a number",
                "context=5,capacity_tokens=99,growth_per_day=-1 | the growth per day must be above 0",
                "contxt=5,capacity_tokens=9 | unknown key 'contxt'; nearest: context",
                "context=12,500 | '500' is not key=value",
                "context=many,capacity_tokens=9 | context is 'many', expected a whole number",
                "context=5,context=6 | context is given twice",
                "context= | context has no value",
                "capacity_tokens=9 | context is missing",
                "context=5 | needs the cache of a replica",
                "context=5,model=Qwen3-4B | gpu is missing: the card of Qwen3-4B",
                "context=5,gpu=L4 | model is missing",
                "context=5,gpu=RTX B4000,model=Qwen3-4B | nearest: RTX A4000",
                "context=5,gpu=L4,model=Qwen3-40B | Qwen3-4B",
                "context=5,gpu=L4,model=Qwen3-4B,kv_dtype=fp7 | nearest: fp8",
                "context=5,gpu=L4,model=Qwen3-4B,gpu_memory_utilization=1.2 | at most 1",
                "context=5,gpu=L4,model=Llama-3.1-70B | does not fit",
                "context=5,capacity_tokens=9,usable_blocks=9 | not both",
                "context=5,shared=6,capacity_tokens=99 | longer than the context",
                "context=5,context_p95=7,growth=1,capacity_tokens=99 | leave out context_p95",
                "nosuch.yaml | cannot be read",
                "context=5,capacity_tokens=99,dtype=fp8 | dtype says nothing without model and gpu",
                "context=5,capacity_tokens=99,kv_dtype=fp8 | kv_dtype says nothing",
                "context=5,capacity_tokens=99,tensor_parallel=2 | tensor_parallel says nothing",
                "context=5,capacity_tokens=99,gpu_memory_utilization=0.5 | gpu_memory_utilization says nothing",
                "context=5,usable_blocks=99,max_model_len=9 | max_model_len says nothing",
                "context=1000,capacity_tokens=999999999999999 | 1 to 2147483645 blocks: 999999999999999 tokens are 62499999999999",
                "context=5,capacity_tokens=9 | 9 tokens are 0 of 16",
                "context=5,usable_blocks=2147483647 | 1 to 2147483645 blocks",
                "context=5,capacity_tokens=99,replicas=999999999 | at most 10000 replicas, not 999999999",
                "context=5,model=Qwen3-4B,gpu=L4,replicas=10001 | at most 10000 replicas",
                "context=5,capacity_tokens=99,replicas=99999999999 | replicas is '99999999999', expected at most 2147483647",
                "context=999999999999999,capacity_tokens=99 | at most 268435456 tokens, not 999999999999999",
                "context=5,output=999999999999999,capacity_tokens=99 | at most 268435456 tokens, not 999999999999999",
                "context=5,capacity_tokens=99,sessions=999999999 | sessions must be 0 to 1000000, not 999999999",
            })
    void whatIsWrongIsSaid(String text, String said) {
        assertThatThrownBy(() -> answer(text)).isInstanceOf(UserError.class).hasMessageContaining(said);
    }
}

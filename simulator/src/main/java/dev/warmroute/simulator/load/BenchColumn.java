package dev.warmroute.simulator.load;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The columns of a benchmark's file, in order: those of vllm-mlx's {@code bench-serve} that apply to an endpoint of which only
 * the HTTP side is known (not the machine's and Metal's), in its order and with its names, then those that it has not. A row is
 * a request; what is a wave's stands in each of its rows.
 */
public enum BenchColumn {
    RUN_ID((run, wave, r) -> run.runId()),
    TIMESTAMP((run, wave, r) -> run.timestamp()),
    TAG((run, wave, r) -> run.tag()),
    MODEL_ID((run, wave, r) -> run.modelId()),
    ENGINE_TYPE((run, wave, r) -> run.engineType()),
    KV_QUANT((run, wave, r) -> run.kvQuant()),
    CACHE_TYPE((run, wave, r) -> run.cacheType()),
    PROMPT_SET((run, wave, r) -> run.promptSet()),
    CONCURRENCY((run, wave, r) -> wave.concurrency()),
    MAX_TOKENS((run, wave, r) -> run.maxTokens()),
    ENABLE_THINKING((run, wave, r) -> run.enableThinking()),
    EXTRA_BODY((run, wave, r) -> run.extraBody()),
    REPETITION((run, wave, r) -> wave.repetition()),
    PROMPT_TOKENS((run, wave, r) -> count(r.promptTokens())),
    /** Sending to the first byte of the answer's body. */
    TTFT_MS((run, wave, r) -> BenchTimes.of(r).ttftMillis()),
    /** From the first byte to the last, for each token but the first. */
    TPOT_MS((run, wave, r) -> BenchTimes.of(r).tokenMillis()),
    /** Sending to the last byte. */
    E2E_LATENCY_MS((run, wave, r) -> BenchTimes.of(r).wholeMillis()),
    /** Tokens a second after the first. */
    GEN_TPS((run, wave, r) -> BenchTimes.of(r).generatedPerSecond()),
    /** Prompt tokens for each second to the first byte. */
    PROMPT_TPS((run, wave, r) -> BenchTimes.of(r).promptPerSecond()),
    THROUGHPUT_TPS((run, wave, r) -> wave.throughput()),
    REQUESTS_PER_S((run, wave, r) -> OptionalDouble.of(wave.requestsPerSecond())),
    /** Prompt tokens that the engines found, while the wave ran. */
    CACHE_HITS((run, wave, r) -> wave.cacheHits()),
    CACHE_MISSES((run, wave, r) -> misses(wave)),
    /** Share from 0 to 1. */
    CACHE_HIT_RATE((run, wave, r) -> hitRate(wave)),
    /** Cached prompt tokens of this request, as its answer says. */
    TOKENS_SAVED((run, wave, r) -> count(r.cachedTokens())),
    /** Whether the answer is complete and has tokens. */
    VALIDATED((run, wave, r) -> r.ok() && r.completionTokens() != 0),
    REQUEST((run, wave, r) -> r.slot() + 1),
    COMPLETION_TOKENS((run, wave, r) -> count(r.completionTokens())),
    SYSTEM_PROMPT((run, wave, r) -> run.systemPrompt()),
    PROMPTS_ID((run, wave, r) -> run.promptsId()),
    ERROR((run, wave, r) -> r.error());

    private interface Value {
        Object of(BenchRun run, BenchWave wave, RequestOutcome request);
    }

    private final Value value;

    BenchColumn(Value value) {
        this.value = value;
    }

    /** Name in the header. */
    public String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its value in a request's row: a text, a number, a truth or an optional one. */
    Object of(BenchRun run, BenchWave wave, RequestOutcome request) {
        return value.of(run, wave, request);
    }

    private static OptionalInt count(int tokens) {
        return tokens == RequestOutcome.NONE ? OptionalInt.empty() : OptionalInt.of(tokens);
    }

    private static OptionalLong misses(BenchWave wave) {
        return wave.cacheQueries().isPresent() && wave.cacheHits().isPresent()
                ? OptionalLong.of(
                        wave.cacheQueries().getAsLong() - wave.cacheHits().getAsLong())
                : OptionalLong.empty();
    }

    private static OptionalDouble hitRate(BenchWave wave) {
        long queries = wave.cacheQueries().orElse(0);
        return queries > 0 && wave.cacheHits().isPresent()
                ? OptionalDouble.of((double) wave.cacheHits().getAsLong() / queries)
                : OptionalDouble.empty();
    }
}

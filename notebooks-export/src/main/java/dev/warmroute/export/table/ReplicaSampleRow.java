package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import dev.warmroute.router.event.CountersDelta;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one scrape of a replica said: gauges now, and the gain of the counters since the scrape before. A counter that the
 * page does not have is empty, never 0.
 */
public record ReplicaSampleRow(
        double timeS,
        String replica,
        long engine,
        long epoch,
        double intervalS,
        OptionalDouble running,
        OptionalDouble waiting,
        OptionalDouble kvUsed,
        OptionalDouble kvUsedBlocks,
        OptionalDouble hits,
        OptionalDouble queries,
        OptionalDouble promptTokens,
        OptionalDouble generatedTokens,
        OptionalDouble preemptions) {

    public static final TableSchema<ReplicaSampleRow> SCHEMA = TableSchema.named(
                    "replica_ts", "a scrape of a replica", ReplicaSampleRow.class)
            .number("t", Unit.SECONDS, "when it was read, since the epoch", ReplicaSampleRow::timeS)
            .text("replica", "replica", ReplicaSampleRow::replica)
            .whole("engine", "engine index on its page", ReplicaSampleRow::engine)
            .whole("epoch", "how often the engine has started again", ReplicaSampleRow::epoch)
            .number(
                    "interval_s",
                    Unit.SECONDS,
                    "time since the scrape before; 0 for the first of an epoch",
                    ReplicaSampleRow::intervalS)
            .maybeNumber("running", "requests in the batch", ReplicaSampleRow::running)
            .maybeNumber("waiting", "requests in the queue", ReplicaSampleRow::waiting)
            .maybeNumber("kv_used", Unit.FRACTION, "KV blocks in use", ReplicaSampleRow::kvUsed)
            .maybeNumber("kv_used_blocks", Unit.BLOCKS, "KV blocks in use", ReplicaSampleRow::kvUsedBlocks)
            .maybeNumber("hits_delta", Unit.TOKENS, "prompt tokens found in the cache", ReplicaSampleRow::hits)
            .maybeNumber("queries_delta", Unit.TOKENS, "prompt tokens looked up", ReplicaSampleRow::queries)
            .maybeNumber("prompt_delta", Unit.TOKENS, "prompt tokens", ReplicaSampleRow::promptTokens)
            .maybeNumber("gen_delta", Unit.TOKENS, "generated tokens", ReplicaSampleRow::generatedTokens)
            .maybeNumber("preempt_delta", "preemptions", ReplicaSampleRow::preemptions)
            .build();

    public static ReplicaSampleRow of(CountersDelta c) {
        OptionalDouble used = value(c.gauges(), "kv_cache_usage_perc");
        boolean knowsBlocks = used.isPresent() && c.numGpuBlocks().isPresent();
        return new ReplicaSampleRow(
                c.scrapedUs() / 1e6,
                c.replica(),
                c.engine(),
                c.epoch(),
                c.intervalMs() / 1e3,
                value(c.gauges(), "num_requests_running"),
                value(c.gauges(), "num_requests_waiting"),
                used,
                knowsBlocks
                        ? OptionalDouble.of(
                                Math.rint(used.getAsDouble() * (c.numGpuBlocks().getAsInt() - 1)))
                        : OptionalDouble.empty(),
                value(c.deltas(), "prefix_cache_hits"),
                value(c.deltas(), "prefix_cache_queries"),
                value(c.deltas(), "prompt_tokens"),
                value(c.deltas(), "generation_tokens"),
                value(c.deltas(), "num_preemptions"));
    }

    private static OptionalDouble value(Map<String, Double> values, String name) {
        Double value = values.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}

package dev.warmroute.simulator.load;

/**
 * What all rows of a benchmark have in common.
 *
 * @param runId tells this run from others
 * @param timestamp of its start, RFC 3339
 * @param tag given by who ran it
 * @param modelId name of the model
 * @param engineType engine and version; empty when the endpoint does not say
 * @param kvQuant dtype of the KV cache; empty when the metrics do not say
 * @param cacheType {@code prefix}, {@code none}, or empty likewise
 * @param promptSet name of the prompts
 * @param promptsId tells these prompts, system prompt included, from others
 * @param systemPrompt {@code none}, {@code shared}, or {@code cold}: another one in each wave
 * @param maxTokens most output tokens of an answer
 * @param enableThinking {@code true}, {@code false}, or empty when it was left to the template
 * @param extraBody further fields of the requests, as JSON; empty for none
 */
public record BenchRun(
        String runId,
        String timestamp,
        String tag,
        String modelId,
        String engineType,
        String kvQuant,
        String cacheType,
        String promptSet,
        String promptsId,
        String systemPrompt,
        int maxTokens,
        String enableThinking,
        String extraBody) {}

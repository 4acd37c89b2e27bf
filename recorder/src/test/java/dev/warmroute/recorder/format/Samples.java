package dev.warmroute.recorder.format;

import dev.warmroute.recorder.SharedData;
import java.nio.file.Path;
import java.util.List;

/** The project's own small files, at least one of each format. */
final class Samples {
    /** As trace arguments without the directory. */
    static final List<String> ALL = List.of(
            "mooncake:mooncake.jsonl",
            "bailian:bailian.jsonl",
            "claude-code:claude-code.jsonl",
            "kv-cache-tester:kv-cache-tester.json",
            "azure:azure-2023.csv",
            "azure:azure-2024.csv",
            "burstgpt:burstgpt.csv",
            "tracelab:tracelab.jsonl",
            "tracelab-replay:tracelab-replay.csv",
            "dynamo:dynamo.jsonl",
            "aiperf-mooncake:aiperf-mooncake.jsonl",
            "aiperf-multi-turn:aiperf-multi-turn.jsonl",
            "vllm-timed:vllm-timed.jsonl",
            "vllm-conversations:vllm-conversations.json",
            "vllm-bench:vllm-bench.json",
            "request-log:request-log.csv",
            "litellm:litellm.jsonl",
            "claude-transcript:claude-transcript.jsonl",
            "codex-transcript:codex-transcript.jsonl");

    private Samples() {}

    static Path file(String name) {
        return SharedData.root().resolve("data/examples/formats").resolve(name);
    }

    /** The argument with the directory. */
    static String argument(String sample) {
        int colon = sample.indexOf(':');
        return sample.substring(0, colon + 1) + file(sample.substring(colon + 1));
    }

    static TraceFormat format(String sample) {
        return TraceFormat.named(sample.substring(0, sample.indexOf(':')));
    }
}

package dev.warmroute.simulator.sweep;

import java.util.Arrays;
import java.util.List;

/** Every key of a grid file: the one place where its meaning stands. The manual's table is held against this. */
public enum GridKey {
    TRACE("trace", "a trace directory or `FORMAT:FILE` to replay; either this or `workload`"),
    WORKLOAD("workload", "a built-in workload or the file of one"),
    MODE("mode", "how a trace is played: `closed`, `open` or `serial`; default as in `whatif`"),
    SECONDS("seconds", "simulated time of a workload; default 600"),
    POLICIES(
            "policies",
            "policies: `warden`, `warden:overflow_threshold=4`, or `{name: warden, overflow_threshold: 2..8}` with one value, a list"
                    + " or a range for each parameter"),
    SESSIONS("sessions", "sessions at a time, or `recorded`; default as the trace or workload has them"),
    CAPACITIES(
            "capacities",
            "cache of a replica: usable blocks, `33520 tokens`, or `unlimited`; default the recorded or the workload's machine's"),
    REPLICAS("replicas", "number of replicas; default the recorded or the workload's machine's, else 4"),
    SEEDS("seeds", "seeds; default 1"),
    ENGINES("engines", "engines: a vLLM version such as `0.32.0`, or a map of the keys below; default the newest"),
    ENGINE_NAME("engines[].name", "name in the results; default the version"),
    ENGINE_VLLM("engines[].vllm", "vLLM version; default the newest"),
    ENGINE_TIMING(
            "engines[].timing",
            "preset of the step times; default the workload's, what a recording taught, else h100-8b"),
    ENGINE_BLOCK_SIZE("engines[].block_size", "tokens of a KV block; default the machine's, else 16"),
    ENGINE_MAX_NUM_SEQS(
            "engines[].max_num_seqs", "running requests; default the workload's, else the version's on an H100"),
    ENGINE_MAX_NUM_BATCHED_TOKENS(
            "engines[].max_num_batched_tokens",
            "token budget of a step; default the workload's, else the version's on an H100"),
    ENGINE_MAX_MODEL_LEN("engines[].max_model_len", "most tokens of a request, prompt and output; default 1,048,576");

    private final String path;
    private final String meaning;

    GridKey(String path, String meaning) {
        this.path = path;
        this.meaning = meaning;
    }

    /** With {@code []} for the elements of a list, as in {@code engines[].vllm}. */
    public String path() {
        return path;
    }

    public String meaning() {
        return meaning;
    }

    /** Last part of the path. */
    String leaf() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** The keys of the file's top, or of one engine. */
    static List<String> leaves(boolean ofAnEngine) {
        return Arrays.stream(values())
                .filter(k -> k.path.contains(".") == ofAnEngine)
                .map(GridKey::leaf)
                .toList();
    }
}

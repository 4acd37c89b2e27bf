package dev.warmroute.simulator.replica;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.ServedModel;
import java.util.Objects;
import java.util.Optional;

/**
 * How a stand-in replica is started; names and meanings are those of {@code vllm serve} where it has them.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 takes a free one
 * @param servedModelName name under which the model is served and labelled in {@code /metrics}
 * @param numGpuBlocks {@code --num-gpu-blocks-override}: KV cache blocks, the null block included
 * @param blockSize tokens a block
 * @param maxNumSeqs largest number of running requests; 0 = the version's default for the card
 * @param maxNumBatchedTokens token budget of a step; 0 = the version's default for the card
 * @param maxModelLen largest number of tokens of a request, prompt and output; 0 = 131,072, or what the cache holds if that
 *     is less
 * @param speed how many times faster than the model's own time the replica runs: 20 makes a step of 20 ms take 1 ms
 * @param profile engine version whose decisions it takes and whose defaults and metrics it has, as {@code 0.22.1}
 * @param timing name of the step-time preset, whose card is the card; empty for the times of {@code served}
 * @param answerTokens length in tokens at which an answer ends by itself (finish reason {@code stop}) unless the request
 *     says {@code ignore_eos}; a smaller {@code max_tokens} ends it before, with {@code length}
 * @param maxQueued requests accepted and not yet answered, at most; what comes beyond is refused with 503
 * @param maxBodyBytes largest request body in bytes
 * @param served model and card that it stands in for, where known: its KV cache groups, and its times when {@code timing} is
 *     empty
 */
public record ReplicaOptions(
        String host,
        int port,
        String servedModelName,
        int numGpuBlocks,
        int blockSize,
        int maxNumSeqs,
        int maxNumBatchedTokens,
        int maxModelLen,
        double speed,
        String profile,
        String timing,
        int answerTokens,
        int maxQueued,
        int maxBodyBytes,
        Optional<ServedModel> served) {

    private static final int LONGEST_DEFAULT = 131_072;
    private static final ReplicaOptions DEFAULTS = new ReplicaOptions(
            "127.0.0.1",
            8000,
            "stand-in",
            28_401,
            16,
            0,
            0,
            0,
            1.0,
            "0.32.0",
            "h100-8b",
            512,
            10_000,
            32 << 20,
            Optional.empty());

    /** Returns an 8B model on an H100 as the newest vLLM serves it: 28,400 usable blocks of 16 tokens. */
    public static ReplicaOptions defaults() {
        return DEFAULTS;
    }

    /** @throws UserError that names the option, its value and what was expected */
    public ReplicaOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(profile, "profile");
        Objects.requireNonNull(timing, "timing");
        Objects.requireNonNull(served, "served");
        require(
                !timing.isEmpty() || served.isPresent(),
                "--timing",
                timing,
                "a step-time preset, or --model and --gpu");
        require(port >= 0 && port <= 65_535, "--port", port, "0 to 65535 (0 = any free port)");
        require(!servedModelName.isBlank(), "--served-model-name", servedModelName, "a name");
        require(blockSize >= 1 && blockSize <= 1 << 20, "--block-size", blockSize, "1 to 1048576 tokens");
        require(numGpuBlocks >= 2, "--num-gpu-blocks-override", numGpuBlocks, "at least 2 (one is the null block)");
        require(maxNumSeqs >= 0, "--max-num-seqs", maxNumSeqs, "at least 1, or 0 for the default");
        require(
                maxNumBatchedTokens >= 0,
                "--max-num-batched-tokens",
                maxNumBatchedTokens,
                "at least 1, or 0 for the default");
        require(speed > 0 && speed <= 1e6, "--speed", speed, "more than 0, at most 1000000");
        require(answerTokens >= 1, "--answer-tokens", answerTokens, "at least 1");
        require(maxQueued >= 1, "--max-num-queued-reqs", maxQueued, "at least 1");
        require(maxBodyBytes >= 1024, "--max-body", maxBodyBytes, "at least 1024 bytes");
        long capacity = (long) (numGpuBlocks - 1) * blockSize;
        maxModelLen = maxModelLen == 0 ? (int) Math.min(LONGEST_DEFAULT, capacity) : maxModelLen;
        require(maxModelLen >= 2, "--max-model-len", maxModelLen, "at least 2, or 0 for what fits");
        require(
                maxModelLen <= capacity,
                "--max-model-len",
                maxModelLen,
                "at most the " + capacity
                        + " tokens that the cache holds; raise --num-gpu-blocks-override or lower it");
    }

    /** Tokens that the whole cache holds. */
    public long cacheTokens() {
        return (long) numGpuBlocks * blockSize;
    }

    public ReplicaOptions withPort(int newPort) {
        return new ReplicaOptions(
                host,
                newPort,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                profile,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withServedModelName(String name) {
        return new ReplicaOptions(
                host,
                port,
                name,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                profile,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    /** Returns these options with another cache; the longest request becomes what fits, see {@link #withMaxModelLen}. */
    public ReplicaOptions withCache(int blocks, int tokensPerBlock) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                blocks,
                tokensPerBlock,
                maxNumSeqs,
                maxNumBatchedTokens,
                0,
                speed,
                profile,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withBatch(int seqs, int batchedTokens) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                seqs,
                batchedTokens,
                maxModelLen,
                speed,
                profile,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withMaxModelLen(int tokens) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                tokens,
                speed,
                profile,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withSpeed(double factor) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                factor,
                profile,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withProfile(String name) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                name,
                timing,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withTiming(String preset) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                profile,
                preset,
                answerTokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    /** Returns these options for a model on a card: its cache as worked out, its groups and its times. */
    public ReplicaOptions withServed(ServedModel model) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                model.capacity().likely().numGpuBlocks(),
                model.layout().blockSize(),
                maxNumSeqs,
                maxNumBatchedTokens,
                0,
                speed,
                profile,
                "",
                answerTokens,
                maxQueued,
                maxBodyBytes,
                Optional.of(model));
    }

    public ReplicaOptions withAnswerTokens(int tokens) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                profile,
                timing,
                tokens,
                maxQueued,
                maxBodyBytes,
                served);
    }

    public ReplicaOptions withMaxQueued(int requests) {
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks,
                blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                profile,
                timing,
                answerTokens,
                requests,
                maxBodyBytes,
                served);
    }

    private static void require(boolean ok, String option, Object value, String expected) {
        if (!ok) {
            throw new UserError(option + " " + value + ": expected " + expected);
        }
    }
}

package dev.warmroute.simulator.engine;

import dev.warmroute.router.UserError;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings of one replica, with vLLM's names.
 *
 * @param numGpuBlocks blocks in the pool, the null block included, or {@link #UNLIMITED}
 * @param blockSize tokens a block
 * @param maxNumSeqs largest number of running requests
 * @param maxNumBatchedTokens token budget of a step
 * @param maxModelLen largest number of tokens of a request, prompt and output
 * @param prefixCaching whether blocks are kept for later requests
 * @param asyncScheduling whether a step is scheduled before the outputs of the one before are known
 * @param maxConcurrentBatches batches that may be in flight, for which sliding windows must leave room: 2 with
 *     asynchronous scheduling, 1 without. (vLLM's CPU build says 1 even when its asynchronous scheduler is driven by
 *     hand.)
 * @param reserveFullIsl {@code scheduler_reserve_full_isl}: admit a request only when its whole sequence fits
 * @param watermark share of the pool that must stay free when a request joins others; 0 to 1
 * @param longPrefillTokenThreshold largest part of a prompt computed in one step, 0 = no such limit
 * @param groups KV cache groups that draw from the pool
 * @param rules what the engine's version decides differently
 * @param hostMemory a second cache in host memory; empty for none, as vLLM has it unless told otherwise
 */
public record EngineConfig(
        int numGpuBlocks,
        int blockSize,
        int maxNumSeqs,
        int maxNumBatchedTokens,
        int maxModelLen,
        boolean prefixCaching,
        boolean asyncScheduling,
        int maxConcurrentBatches,
        boolean reserveFullIsl,
        double watermark,
        int longPrefillTokenThreshold,
        List<KvGroup> groups,
        EngineRules rules,
        Optional<HostMemory> hostMemory) {

    /** Capacity of a pool that grows as it is used and never evicts. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Largest {@code maxModelLen}. */
    public static final int MOST_MODEL_LEN = 1 << 28;

    private static final EngineConfig DEFAULTS = new EngineConfig(
            UNLIMITED,
            16,
            1024,
            8192,
            1 << 20,
            true,
            true,
            2,
            true,
            0.0,
            0,
            KvGroup.FULL_ONLY,
            EngineRules.NEWEST,
            Optional.empty());

    /**
     * Returns what the newest vLLM does on an H100 when nothing is set, with a cache without limit and requests of
     * up to 1,048,576 tokens.
     */
    public static EngineConfig defaults() {
        return DEFAULTS;
    }

    public EngineConfig {
        groups = List.copyOf(groups);
        require(blockSize >= 1, "block_size", blockSize, "at least 1");
        int fewest = rules.nullBlock() ? 2 : 1;
        require(numGpuBlocks >= fewest, "num_gpu_blocks", numGpuBlocks, "at least " + fewest);
        require(maxNumSeqs >= 1, "max_num_seqs", maxNumSeqs, "at least 1");
        require(maxNumBatchedTokens >= 1, "max_num_batched_tokens", maxNumBatchedTokens, "at least 1");
        require(maxModelLen >= 2 && maxModelLen <= MOST_MODEL_LEN, "max_model_len", maxModelLen, "2 to 268,435,456");
        boolean oneOrTwo = maxConcurrentBatches == 1 || maxConcurrentBatches == 2;
        require(oneOrTwo, "max_concurrent_batches", maxConcurrentBatches, "1 or 2");
        require(watermark >= 0 && watermark <= 1, "watermark", watermark, "0 to 1");
        require(longPrefillTokenThreshold >= 0, "long_prefill_token_threshold", longPrefillTokenThreshold, "0 or more");
        require(!groups.isEmpty() && groups.size() <= 64, "groups", groups, "1 to 64 KV cache groups");
        boolean tierServes = hostMemory.isEmpty() || groups.equals(KvGroup.FULL_ONLY) && prefixCaching;
        require(
                tierServes,
                "host memory behind groups",
                groups,
                "one group of full attention, with prefix caching: host memory"
                        + " is not simulated for hybrid models");
    }

    /** Blocks that requests can hold: all but the null block. */
    public int usableBlocks() {
        return unlimited() || !rules.nullBlock() ? numGpuBlocks : numGpuBlocks - 1;
    }

    public boolean unlimited() {
        return numGpuBlocks == UNLIMITED;
    }

    /** Whether the model has layers with a recurrent state, so that chunks of a prompt must end at block boundaries. */
    public boolean hasGatedDelta() {
        return hasGatedDelta(groups);
    }

    /** Free blocks that an admission must leave when other requests run: {@code int(watermark * num_gpu_blocks)}. */
    public int watermarkBlocks() {
        return unlimited() ? 0 : (int) (watermark * numGpuBlocks);
    }

    public EngineConfig withNumGpuBlocks(int blocks) {
        return with(draft -> draft.numGpuBlocks = blocks);
    }

    /** Returns these settings with {@code blocks} usable blocks, the null block not counted. */
    public EngineConfig withUsableBlocks(int blocks) {
        return withNumGpuBlocks(rules.nullBlock() ? Math.addExact(blocks, 1) : blocks);
    }

    public EngineConfig withUnlimitedBlocks() {
        return withNumGpuBlocks(UNLIMITED);
    }

    public EngineConfig withBlockSize(int tokens) {
        return with(draft -> draft.blockSize = tokens);
    }

    public EngineConfig withMaxNumSeqs(int seqs) {
        return with(draft -> draft.maxNumSeqs = seqs);
    }

    public EngineConfig withMaxNumBatchedTokens(int tokens) {
        return with(draft -> draft.maxNumBatchedTokens = tokens);
    }

    public EngineConfig withMaxModelLen(int tokens) {
        return with(draft -> draft.maxModelLen = tokens);
    }

    public EngineConfig withPrefixCaching(boolean on) {
        return with(draft -> draft.prefixCaching = on);
    }

    /** Returns these settings with scheduling switched, and as many concurrent batches as that means. */
    public EngineConfig withAsyncScheduling(boolean on) {
        return with(draft -> {
            draft.asyncScheduling = on;
            draft.maxConcurrentBatches = on ? 2 : 1;
        });
    }

    public EngineConfig withReserveFullIsl(boolean on) {
        return with(draft -> draft.reserveFullIsl = on);
    }

    public EngineConfig withWatermark(double share) {
        return with(draft -> draft.watermark = share);
    }

    public EngineConfig withLongPrefillTokenThreshold(int tokens) {
        return with(draft -> draft.longPrefillTokenThreshold = tokens);
    }

    public EngineConfig withGroups(List<KvGroup> kvGroups) {
        return with(draft -> draft.groups = kvGroups);
    }

    public EngineConfig withRules(EngineRules version) {
        return with(draft -> draft.rules = version);
    }

    public EngineConfig withHostMemory(HostMemory memory) {
        return with(draft -> draft.hostMemory = Optional.of(memory));
    }

    public EngineConfig withoutHostMemory() {
        return with(draft -> draft.hostMemory = Optional.empty());
    }

    private EngineConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    /** Settings while one of them is exchanged. */
    private static final class Draft {
        private int numGpuBlocks;
        private int blockSize;
        private int maxNumSeqs;
        private int maxNumBatchedTokens;
        private int maxModelLen;
        private boolean prefixCaching;
        private boolean asyncScheduling;
        private int maxConcurrentBatches;
        private boolean reserveFullIsl;
        private double watermark;
        private int longPrefillTokenThreshold;
        private List<KvGroup> groups;
        private EngineRules rules;
        private Optional<HostMemory> hostMemory;

        private Draft(EngineConfig of) {
            numGpuBlocks = of.numGpuBlocks;
            blockSize = of.blockSize;
            maxNumSeqs = of.maxNumSeqs;
            maxNumBatchedTokens = of.maxNumBatchedTokens;
            maxModelLen = of.maxModelLen;
            prefixCaching = of.prefixCaching;
            asyncScheduling = of.asyncScheduling;
            maxConcurrentBatches = of.maxConcurrentBatches;
            reserveFullIsl = of.reserveFullIsl;
            watermark = of.watermark;
            longPrefillTokenThreshold = of.longPrefillTokenThreshold;
            groups = of.groups;
            rules = of.rules;
            hostMemory = of.hostMemory;
        }

        private EngineConfig config() {
            return new EngineConfig(
                    numGpuBlocks,
                    blockSize,
                    maxNumSeqs,
                    maxNumBatchedTokens,
                    maxModelLen,
                    prefixCaching,
                    asyncScheduling,
                    maxConcurrentBatches,
                    reserveFullIsl,
                    watermark,
                    longPrefillTokenThreshold,
                    groups,
                    rules,
                    hostMemory);
        }
    }

    private static boolean hasGatedDelta(List<KvGroup> groups) {
        for (KvGroup group : groups) {
            if (group instanceof KvGroup.GatedDelta) {
                return true;
            }
        }
        return false;
    }

    private static void require(boolean ok, String name, Object value, String expected) {
        if (!ok) {
            throw new UserError(name + " = " + value + ": expected " + expected);
        }
    }
}

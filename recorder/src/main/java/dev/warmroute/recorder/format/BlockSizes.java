package dev.warmroute.recorder.format;

import java.util.List;
import java.util.stream.IntStream;

/** What formats with block ids have in common: ids that fit the length, and their place in the linear token space. */
final class BlockSizes {
    /** {@code timed_trace} of vLLM, unless told otherwise. */
    static final int VLLM_TIMED = 16;

    /** Qwen-Bailian traces. */
    static final int BAILIAN = 16;

    /** Dynamo's, where the trace has no blocks of its own. */
    static final int DYNAMO = 64;

    /** First token number that stands for no block of a trace. */
    private static final long END = 1L << 60;

    /** Sizes that public traces have, to be suggested. */
    private static final int[] USUAL = {16, 32, 64, 128, 256, 512, 1024};

    private BlockSizes() {}

    /**
     * Refuses a row whose ids are not one for each block of the prompt, the last one partial.
     *
     * @param field that holds the ids
     * @param length that holds the length
     */
    static void requireIds(String field, int ids, String length, int tokens, int blockSize) {
        int blocks = Math.ceilDiv(tokens, blockSize);
        if (ids != blocks) {
            String fitting = IntStream.of(USUAL)
                    .filter(b -> b != blockSize && Math.ceilDiv(tokens, b) == ids)
                    .mapToObj(b -> "; blocks of " + b + " would fit: say FORMAT/" + b + ":FILE")
                    .findFirst()
                    .orElse("");
            throw new RowException(
                    field,
                    "expected " + blocks + " ids for " + length + ' ' + tokens + " in blocks of " + blockSize
                            + ", found " + ids + fitting);
        }
    }

    /** First token of a block in the linear token space. */
    static long start(String field, long id, int blockSize) {
        if (id > last(blockSize)) {
            throw new RowException(field, "expected ids up to " + last(blockSize) + ", found " + id);
        }
        return id * blockSize;
    }

    /** The last id that there may be. */
    static long last(int blockSize) {
        return END / blockSize - 1;
    }

    /** Whether a token number is that of a block, and not of a token that only one prompt has. */
    static boolean isOfBlock(long token) {
        return token < END;
    }

    /** What cutting a trace's prompts into blocks does to what they share. */
    static List<String> rounding(TraceDescription source, int blockSize) {
        if (source.prefixes() == Prefixes.NONE) {
            return List.of("nothing is known of what prompts share: every block has an id of its own");
        }
        if (source.prefixes().haveIds() && source.blockSize() % blockSize == 0) {
            return List.of();
        }
        return List.of("prompts are cut into blocks of " + blockSize
                + " tokens: what two of them share is rounded down to whole blocks");
    }
}

package dev.warmroute.router.prompt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;

/**
 * A prompt as chained hashes of its full blocks: hash i stands for everything up to the end of block i, so two prompts share
 * a prefix exactly as long as their hashes agree.
 */
public final class PromptChain {
    /** What a block counts. */
    public enum Unit {
        TOKENS,
        BYTES;

        public String wireName() {
            return this == TOKENS ? "tokens" : "bytes";
        }
    }

    /** Bytes of text that make a token, roughly; only for estimates. */
    public static final int BYTES_PER_TOKEN = 4;

    /** A prompt of which nothing is known. */
    public static final PromptChain NOTHING = new PromptChain(Unit.TOKENS, 1, 0, new long[0]);

    private final Unit unit;
    private final int blockSize;
    private final long length;
    private final long[] hashes;

    PromptChain(Unit unit, int blockSize, long length, long[] hashes) {
        this.unit = unit;
        this.blockSize = blockSize;
        this.length = length;
        this.hashes = hashes;
    }

    /**
     * A chain whose hashes somebody else made.
     *
     * @param length of the whole prompt in units
     * @param hashes one for each full block; the chain owns them
     */
    public static PromptChain of(Unit unit, int blockSize, long length, long[] hashes) {
        if (blockSize < 1 || hashes.length > length / blockSize) {
            throw new IllegalArgumentException(hashes.length + " blocks of " + blockSize + " in a prompt of " + length);
        }
        return new PromptChain(unit, blockSize, length, hashes);
    }

    public Unit unit() {
        return unit;
    }

    /** Units in a block. */
    public int blockSize() {
        return blockSize;
    }

    /** Length of the whole prompt in units, its partial last block included. */
    public long length() {
        return length;
    }

    /** Number of full blocks. */
    public int blocks() {
        return hashes.length;
    }

    public long hash(int block) {
        return hashes[block];
    }

    /** All hashes in order; not to be written to. */
    public long[] hashes() {
        return hashes;
    }

    /** Tokens in so many units; an estimate where the unit is bytes. */
    public long tokens(long units) {
        return unit == Unit.TOKENS ? units : units / BYTES_PER_TOKEN;
    }

    /** Tokens of the first blocks; an estimate where the unit is bytes. */
    public long tokensOfBlocks(int blocks) {
        return tokens((long) blocks * blockSize);
    }

    /** Leading blocks that both prompts have; 0 when they count in different blocks. */
    public int sharedBlocks(PromptChain other) {
        if (unit != other.unit || blockSize != other.blockSize) {
            return 0;
        }
        int mismatch = Arrays.mismatch(hashes, other.hashes);
        return mismatch < 0 ? hashes.length : mismatch;
    }

    /** Base64 of {@code count} hashes from block {@code from}, each 64 bits little-endian. */
    public String base64(int from, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = from; i < from + count; i++) {
            bytes.putLong(hashes[i]);
        }
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** Hashes back from {@link #base64}. */
    public static long[] hashes(String base64) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
        long[] hashes = new long[bytes.remaining() / Long.BYTES];
        bytes.asLongBuffer().get(hashes);
        return hashes;
    }
}

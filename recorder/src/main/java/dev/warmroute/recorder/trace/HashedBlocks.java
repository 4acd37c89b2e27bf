package dev.warmroute.recorder.trace;

import java.util.HashMap;
import java.util.Map;

/**
 * Which tokens a block hash stands for. New blocks take the next tokens of the space, so that the blocks of a new prompt are
 * one span; a block that begins with tokens which are known otherwise (the end of an earlier prompt, an answer) is kept as
 * those. Takes 32 bytes a block.
 */
final class HashedBlocks {
    private static final long IRREGULAR = -1;

    private long[] hashes = new long[1 << 12];
    /** First token of the block, from 1; 0 for a free slot. */
    private long[] starts = new long[1 << 12];

    private final Map<Long, Prompt> irregular = new HashMap<>();
    private int size;
    private long next = 1;

    /**
     * Tokens of a block.
     *
     * @param length its length in tokens, the same whenever this hash is asked for
     * @param known its first tokens, where they are known otherwise; only looked at when the hash is new
     */
    Prompt block(long hash, int length, Prompt known) {
        int at = slot(hashes, starts, hash);
        if (starts[at] == 0) {
            hashes[at] = hash;
            starts[at] = known.tokens() == 0 ? next : IRREGULAR;
            if (known.tokens() > 0) {
                irregular.put(
                        hash,
                        Prompt.builder()
                                .all(known)
                                .span(next, length - known.tokens())
                                .build());
            }
            next += length - known.tokens();
            if (2 * ++size > starts.length) {
                grow();
            }
            at = slot(hashes, starts, hash);
        }
        return starts[at] == IRREGULAR ? irregular.get(hash) : Prompt.of(starts[at], length);
    }

    private void grow() {
        long[] widerHashes = new long[2 * hashes.length];
        long[] widerStarts = new long[2 * starts.length];
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] != 0) {
                int at = slot(widerHashes, widerStarts, hashes[i]);
                widerHashes[at] = hashes[i];
                widerStarts[at] = starts[i];
            }
        }
        hashes = widerHashes;
        starts = widerStarts;
    }

    private static int slot(long[] hashes, long[] starts, long hash) {
        int at = (int) (hash ^ (hash >>> 32)) & (starts.length - 1);
        while (starts[at] != 0 && hashes[at] != hash) {
            at = (at + 1) & (starts.length - 1);
        }
        return at;
    }
}

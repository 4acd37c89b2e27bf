package dev.warmroute.simulator.engine;

import dev.warmroute.recorder.trace.Prompt;
import java.util.Arrays;

/**
 * Gives every distinct prefix of whole blocks a dense integer, its <em>chain id</em>: two requests have the same chain
 * id at block i exactly when their first (i + 1) * blockSize tokens agree. It stands for vLLM's chained block hash,
 * without collisions and without touching tokens.
 *
 * <p>The prefixes form a tree. Blocks that lie inside one span of the linear token space follow each other with
 * consecutive ids on one edge, so that a span of ten thousand blocks costs one look-up and one edge; a block that
 * straddles spans is spelled piece by piece. Ids start at 0 and grow with the distinct content, never with repeats;
 * memory grows with distinct spans (about 60 bytes each).
 *
 * <p>Not safe for use by several threads. Engines of one fleet share one interner.
 */
public final class ChainInterner {
    /** Parent of first blocks. */
    private static final int ROOT = -1;

    private final int blockSize;

    /** Ids handed out so far. */
    private int ids;

    // Edges: runs of blocks inside one span, two longs each: the first token; the first id and the number of blocks.
    // Block j of an edge starts at its first token + j * blockSize.
    private long[] edges = new long[1024];
    private int edgeCount;

    /** (parent, first token, length) -> an edge (whole blocks), or what a piece of a straddling block leads to. */
    private final PieceTable children = new PieceTable();

    /** States within straddling blocks are numbered downwards from here, apart from chain ids. */
    private int nextState = ROOT - 1;

    // Where the walk stands: after chain id `at`, on an edge or (-1) on none.
    private int at;
    private int edge;
    private long edgeStart;
    private int edgeFirst;
    private int edgeBlocks;

    /**
     * @param blockSize tokens a block, at least 1
     */
    public ChainInterner(int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("block size must be at least 1: " + blockSize);
        }
        this.blockSize = blockSize;
    }

    public int blockSize() {
        return blockSize;
    }

    /** Number of chain ids handed out: ids are 0 to this, exclusive. */
    public int size() {
        return ids;
    }

    /** Fills {@code into} with the chain ids of the prompt's full blocks. */
    public void intern(Prompt prompt, ChainRuns into) {
        intern(prompt, 0, 0, into);
    }

    /**
     * Fills {@code into} with the chain ids of the full blocks of a prompt and what follows it.
     *
     * @param outputStart number of the first generated token
     * @param outputTokens generated tokens
     */
    public void intern(Prompt prompt, long outputStart, int outputTokens, ChainRuns into) {
        into.clear();
        at = ROOT;
        edge = -1;
        int state = ROOT; // within a block: what its pieces so far lead to
        int filled = 0; // tokens of the current block that earlier spans brought
        int spans = prompt.spans() + (outputTokens > 0 ? 1 : 0);
        for (int i = 0; i < spans; i++) {
            long start;
            long length;
            if (i < prompt.spans()) {
                start = prompt.start(i);
                length = prompt.length(i);
            } else {
                start = outputStart;
                length = outputTokens;
            }
            // The answer may continue the prompt's last span; neighbours within a prompt are merged already.
            if (i + 1 < spans && i + 1 == prompt.spans() && start + length == outputStart) {
                length += outputTokens;
                i++;
            }
            if (filled > 0) {
                int piece = (int) Math.min(length, blockSize - filled);
                boolean closes = filled + piece == blockSize;
                state = follow(state, start, piece, closes);
                filled += piece;
                start += piece;
                length -= piece;
                if (!closes) {
                    continue;
                }
                at = state;
                edge = -1;
                filled = 0;
                into.append(at, 1);
            }
            int whole = (int) (length / blockSize);
            if (whole > 0) {
                walk(start, whole, into);
                start += (long) whole * blockSize;
            }
            filled = (int) (length % blockSize);
            if (filled > 0) {
                state = follow(at, start, filled, false);
            }
        }
    }

    /** Appends {@code blocks} whole blocks that start at token {@code start} and lie in one span. */
    private void walk(long start, int blocks, ChainRuns into) {
        int left = blocks;
        long token = start;
        while (left > 0) {
            int taken = stepsAlongEdge(token, left);
            if (taken > 0) {
                into.append(at + 1, taken);
                at += taken;
            } else {
                int child = children.get(at, token, blockSize);
                if (child == PieceTable.ABSENT) {
                    grow(token, left, into);
                    return;
                }
                enter(child);
                at = edgeFirst;
                taken = 1;
                into.append(at, 1);
            }
            left -= taken;
            token += (long) taken * blockSize;
        }
    }

    /** How many blocks from {@code token} on the current edge holds next. */
    private int stepsAlongEdge(long token, int most) {
        if (edge < 0) {
            return 0;
        }
        int offset = at - edgeFirst + 1;
        return edgeStart + (long) offset * blockSize == token ? Math.min(most, edgeBlocks - offset) : 0;
    }

    private void enter(int newEdge) {
        edge = newEdge;
        edgeStart = edges[2 * newEdge];
        edgeFirst = (int) (edges[2 * newEdge + 1] >>> 32);
        edgeBlocks = (int) edges[2 * newEdge + 1];
    }

    /**
     * Adds {@code blocks} new blocks after {@code at}: to the current edge if they continue it and it is the newest.
     */
    private void grow(long token, int blocks, ChainRuns into) {
        int firstId = ids;
        ids = Math.addExact(ids, blocks);
        boolean continues = edge >= 0
                && edgeFirst + edgeBlocks == firstId
                && at == firstId - 1
                && edgeStart + (long) edgeBlocks * blockSize == token;
        if (continues) {
            edges[2 * edge + 1] += blocks;
        } else {
            if (2 * edgeCount == edges.length) {
                edges = Arrays.copyOf(edges, edges.length * 2);
            }
            edges[2 * edgeCount] = token;
            edges[2 * edgeCount + 1] = (long) firstId << 32 | blocks;
            children.put(at, token, blockSize, edgeCount);
            edge = edgeCount++;
        }
        enter(edge);
        at = firstId + blocks - 1;
        into.append(firstId, blocks);
    }

    /** Follows, or adds, one piece of a straddling block; the piece that closes the block leads to its chain id. */
    private int follow(int from, long start, int length, boolean closes) {
        int to = children.get(from, start, length);
        if (to == PieceTable.ABSENT) {
            to = closes ? ids++ : nextState--;
            children.put(from, start, length, to);
        }
        return to;
    }
}

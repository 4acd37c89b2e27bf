package dev.warmroute.simulator.engine;

import dev.warmroute.recorder.trace.Prompt;
import java.util.Arrays;

/**
 * Gives every distinct prefix of whole blocks a dense integer, its <em>chain id</em>: two requests have the same chain id
 * at block i exactly when their first (i + 1) * blockSize tokens agree. It stands for vLLM's chained block hash, without
 * collisions and without touching tokens.
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

    // Edges: runs of blocks inside one span. Block j of edge e starts at token edgeStart[e] + j * blockSize.
    private int[] edgeFirst = new int[1024];
    private int[] edgeCount = new int[1024];
    private long[] edgeStart = new long[1024];
    private int edges;

    /** (parent, first token, length) -> an edge (whole blocks), or what a piece of a straddling block leads to. */
    private final PieceTable children = new PieceTable();

    /** States within straddling blocks are numbered downwards from here, apart from chain ids. */
    private int nextState = ROOT - 1;

    // Where the walk stands: after chain id `at`, on edge `edge` (or on none).
    private int at;
    private int edge;

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
            int taken;
            int offset = edge < 0 ? 0 : at - edgeFirst[edge] + 1;
            if (edge >= 0 && offset < edgeCount[edge] && edgeStart[edge] + (long) offset * blockSize == token) {
                taken = Math.min(left, edgeCount[edge] - offset);
                into.append(at + 1, taken);
                at += taken;
            } else {
                int child = children.get(at, token, blockSize);
                if (child != PieceTable.ABSENT) {
                    edge = child;
                    at = edgeFirst[child];
                    taken = 1;
                    into.append(at, 1);
                } else {
                    taken = left;
                    grow(offset, token, left, into);
                }
            }
            left -= taken;
            token += (long) taken * blockSize;
        }
    }

    /** Adds {@code blocks} new blocks after {@code at}: at the end of the edge if it continues it and is the newest. */
    private void grow(int offset, long token, int blocks, ChainRuns into) {
        int firstId = ids;
        ids = Math.addExact(ids, blocks);
        boolean continues = edge >= 0
                && offset == edgeCount[edge]
                && edgeFirst[edge] + offset == firstId
                && edgeStart[edge] + (long) offset * blockSize == token;
        if (continues) {
            edgeCount[edge] += blocks;
        } else {
            if (edges == edgeFirst.length) {
                edgeFirst = Arrays.copyOf(edgeFirst, edges * 2);
                edgeCount = Arrays.copyOf(edgeCount, edges * 2);
                edgeStart = Arrays.copyOf(edgeStart, edges * 2);
            }
            edgeFirst[edges] = firstId;
            edgeCount[edges] = blocks;
            edgeStart[edges] = token;
            children.put(at, token, blockSize, edges);
            edge = edges++;
        }
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

package dev.warmroute.simulator.engine;

import dev.warmroute.router.UserError;
import java.util.List;

/**
 * A KV cache group: layers that share one block table. All groups of a model draw from one block pool, with one block
 * size; vLLM's hybrid cache coordinator.
 */
public sealed interface KvGroup {
    /** The only group of a model whose layers all attend to the whole context. */
    List<KvGroup> FULL_ONLY = List.of(new Full());

    /** Layers that attend to the whole context; every block is kept until the request ends. */
    record Full() implements KvGroup {
        @Override
        public String toString() {
            return "full";
        }
    }

    /**
     * Layers that attend to the last {@code window} tokens; blocks that fall out of the window are freed early.
     *
     * @param window tokens, at least 1
     */
    record SlidingWindow(int window) implements KvGroup {
        public SlidingWindow {
            if (window < 1) {
                throw new UserError("swa:" + window + ": the window must be at least 1 token");
            }
        }

        @Override
        public String toString() {
            return "swa:" + window;
        }
    }

    /**
     * Layers with a recurrent state (gated delta net, Mamba) in cache mode {@code align}: one state per block boundary.
     */
    record GatedDelta() implements KvGroup {
        @Override
        public String toString() {
            return "gdn:align";
        }
    }

    /**
     * Reads a group as recordings and options write it.
     *
     * @param text {@code full}, {@code swa:W} with a window of W tokens, or {@code gdn:align}
     * @throws UserError if it is none of these
     */
    static KvGroup parse(String text) {
        if (text.equals("full")) {
            return new Full();
        }
        if (text.equals("gdn:align")) {
            return new GatedDelta();
        }
        if (text.matches("swa:\\d{1,9}")) {
            return new SlidingWindow(Integer.parseInt(text.substring(4)));
        }
        throw new UserError("KV cache group '" + text + "': expected full, swa:W (a window of W tokens) or gdn:align");
    }
}

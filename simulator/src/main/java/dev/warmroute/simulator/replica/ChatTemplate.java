package dev.warmroute.simulator.replica;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.List;

/**
 * The stand-in's chat template: every message is {@code IM_START role text IM_END}, tools follow the system text as their
 * JSON, and the answer is asked for with {@code IM_START assistant}. The markers and the roles are one token each.
 *
 * <p>A conversation that goes on keeps its tokens: the answer stands in the history exactly where it was generated.
 */
final class ChatTemplate {
    private ChatTemplate() {}

    /** How a chat ends. */
    enum Ending {
        /** An answer is asked for. */
        ANSWER_WANTED,
        /** With the last message. */
        CLOSED,
        /** In the middle of the last message, which the answer goes on with. */
        OPEN
    }

    /**
     * Returns the tokens of a chat.
     *
     * @param tools JSON of the tools on offer; empty for none
     */
    static LongArrayList render(List<ChatMessage> messages, String tools, Ending ending) {
        LongArrayList ids = new LongArrayList();
        boolean toolsPending = !tools.isEmpty();
        if (toolsPending && (messages.isEmpty() || !messages.getFirst().role().equals("system"))) {
            message("system", "", tools, ids);
            toolsPending = false;
        }
        for (ChatMessage message : messages) {
            message(message.role(), message.text(), toolsPending ? tools : "", ids);
            toolsPending = false;
        }
        if (ending == Ending.OPEN && !messages.isEmpty()) {
            ids.removeLong(ids.size() - 1);
        }
        if (ending == Ending.ANSWER_WANTED) {
            ids.add(StandInTokenizer.IM_START);
            StandInTokenizer.role("assistant", ids);
        }
        return ids;
    }

    private static void message(String role, String text, String tools, LongArrayList ids) {
        ids.add(StandInTokenizer.IM_START);
        StandInTokenizer.role(role, ids);
        StandInTokenizer.tokenize(text, ids);
        if (!tools.isEmpty()) {
            StandInTokenizer.tokenize("\n# Tools\n" + tools, ids);
        }
        ids.add(StandInTokenizer.IM_END);
    }
}

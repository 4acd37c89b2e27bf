package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Block ids that count within a session, from 1, for the formats of Claude Code; the source's own where it has such. */
final class SessionBlockIds {
    private final int blockSize;
    private final boolean keep;
    private final Map<String, BlockIds> sessions = new HashMap<>();

    SessionBlockIds(TraceDescription source, int blockSize) {
        this.blockSize = blockSize;
        this.keep = source.prefixes() == Prefixes.SESSION_BLOCKS && source.blockSize() == blockSize;
    }

    /** Ids of a prompt's full blocks. */
    long[] full(Turn turn) {
        Prompt prompt = turn.prompt();
        if (keep) {
            long base = prompt.start(0) & -ClaudeCodeTurns.SESSION_SPACE;
            return BlockIds.local(blockSize, base, 0).full(prompt);
        }
        return sessions.computeIfAbsent(turn.session(), s -> BlockIds.local(blockSize, -1, 1))
                .full(prompt);
    }

    List<String> notes(TraceDescription source) {
        List<String> notes = new ArrayList<>(BlockSizes.rounding(source, blockSize));
        if (source.prefixes() == Prefixes.BLOCKS || source.prefixes() == Prefixes.TOKENS) {
            notes.add("ids count within a session: what sessions share with each other is lost");
        }
        return notes;
    }
}

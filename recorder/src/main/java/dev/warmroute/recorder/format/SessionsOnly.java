package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.List;

/** Writes requests of sessions only, for formats that have nothing else. */
final class SessionsOnly implements TurnWriter {
    private final TurnWriter writer;
    private final TraceDescription source;

    SessionsOnly(TurnWriter writer, TraceDescription source) {
        this.writer = writer;
        this.source = source;
    }

    @Override
    public void write(Turn turn) {
        if (!turn.hasSession()) {
            throw new UserError("request " + turn.index() + " of " + source.name()
                    + " has no session, and this format has sessions" + " only; export to mooncake or azure instead");
        }
        writer.write(turn);
    }

    @Override
    public void finish() {
        writer.finish();
    }

    @Override
    public List<String> notes() {
        return writer.notes();
    }
}

package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;

/**
 * One of the concurrent sessions, and those that replace it: sends a turn, reads the answer, appends it to the history as it
 * came, pauses, sends the next. Lives on one event loop.
 *
 * <p>A failed turn ends its session, since there is no answer to go on with; the next session of the slot begins after a
 * pause, so that a server that refuses everything is not hammered.
 */
final class AgentSession {
    private static final double SHORTEST_GAP_AFTER_FAILURE = 1;

    private final AgentRun run;
    private final AgentLoadOptions options;
    private final int slot;
    private final StringBuilder history = new StringBuilder();

    private SessionScript script;
    private int turn;
    private long startedNanos = RequestOutcome.NONE;

    // The request under way.
    private HttpClientRequest request;
    private String sessionId = "";
    private AnswerStream answer = new AnswerStream();
    private Buffer refusal = Buffer.buffer();
    private boolean waiting;
    private long sentNanos;
    private long firstByteNanos;
    private int status;

    AgentSession(AgentRun run, AgentLoadOptions options, int slot) {
        this.run = run;
        this.options = options;
        this.slot = slot;
        this.script = new SessionScript(options, slot, 0);
    }

    void start() {
        run.after(script.startSeconds(), this::begin);
    }

    /** Whether a request is under way. */
    boolean waiting() {
        return waiting;
    }

    /** Whether the last session of the last round has ended. */
    boolean done() {
        return options.rounds() > 0 && script.number() == options.rounds();
    }

    /** When the session that is under way sent its first request; {@link RequestOutcome#NONE} between sessions. */
    long startedNanos() {
        return startedNanos;
    }

    /** Gives up the request under way; its session stays unfinished. */
    void cutOff() {
        if (waiting) {
            waiting = false;
            report("cut off: not answered when the run ended", run.now());
            if (request != null) {
                request.reset();
            }
        }
    }

    private void begin() {
        history.setLength(0);
        turn = 1;
        if (!run.systemText().isEmpty()) {
            say("system", run.systemText());
        }
        say("user", script.userText(1));
        startedNanos = run.now();
        send();
    }

    private void next() {
        turn++;
        say("user", script.userText(turn));
        send();
    }

    private void say(String role, String text) {
        history.append(history.isEmpty() ? "" : ",")
                .append("{\"role\":\"")
                .append(role)
                .append("\",\"content\":")
                .append(JsonNodeFactory.instance.textNode(text))
                .append('}');
    }

    private void send() {
        sessionId = script.sessionId();
        answer = new AnswerStream();
        refusal = Buffer.buffer();
        request = null;
        status = 0;
        firstByteNanos = RequestOutcome.NONE;
        sentNanos = run.now();
        waiting = true;
        AnswerStream mine = answer;
        Buffer body =
                Buffer.buffer("{\"model\":" + JsonNodeFactory.instance.textNode(options.model()) + ",\"messages\":["
                        + history + "],\"max_tokens\":" + script.outputTokens(turn) + ",\"temperature\":0"
                        + (options.ignoreEos() ? ",\"ignore_eos\":true" : "")
                        + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
        run.post(sessionId, started -> request = started, body)
                .onFailure(e -> failed(mine, e))
                .onSuccess(response -> read(mine, response));
    }

    private void read(AnswerStream mine, HttpClientResponse response) {
        if (mine != answer || !waiting) {
            return;
        }
        status = response.statusCode();
        response.handler(bytes -> bytes(mine, bytes));
        response.exceptionHandler(e -> failed(mine, e));
        response.endHandler(end -> {
            if (mine == answer && waiting) {
                ended(status == 200 ? mine.problem() : "status " + status + ": " + start(refusal));
            }
        });
    }

    private void bytes(AnswerStream mine, Buffer bytes) {
        if (mine != answer || !waiting) {
            return;
        }
        if (firstByteNanos == RequestOutcome.NONE) {
            firstByteNanos = run.now();
        }
        if (status == 200) {
            try {
                mine.accept(bytes.getBytes());
            } catch (IllegalStateException e) {
                ended(e.getMessage());
                request.reset();
            }
        } else if (refusal.length() < 4096) {
            refusal.appendBuffer(bytes);
        }
    }

    private void failed(AnswerStream mine, Throwable e) {
        if (mine == answer && waiting) {
            ended(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    private void ended(String error) {
        waiting = false;
        long now = run.now();
        double gap = script.gapSeconds(turn);
        if (error.isEmpty() && turn < options.turns()) {
            say("assistant", answer.text());
            run.after(gap, this::next);
        } else {
            if (error.isEmpty()) {
                run.sessionFinished(now - startedNanos);
            } else {
                run.sessionFailed();
                gap = Math.max(gap, SHORTEST_GAP_AFTER_FAILURE);
            }
            startedNanos = RequestOutcome.NONE;
            script = new SessionScript(options, slot, script.number() + 1);
            if (!done()) {
                run.after(gap, this::begin);
            }
        }
        report(error, now);
    }

    private void report(String error, long now) {
        run.ended(new RequestOutcome(
                sessionId,
                slot,
                turn,
                sentNanos,
                firstByteNanos,
                now,
                status,
                error,
                answer.promptTokens(),
                answer.cachedTokens(),
                answer.completionTokens()));
    }

    private static String start(Buffer text) {
        String all = text.toString().replaceAll("\\s+", " ");
        return all.length() <= 300 ? all : all.substring(0, 300) + "...";
    }
}

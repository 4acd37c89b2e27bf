package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.List;

/**
 * LiteLLM's request log, one {@code StandardLoggingPayload} a line: {@code trace_id} (the session that the client named, else an id
 * of this request alone), {@code startTime, completionStartTime, endTime} in seconds since 1970, {@code prompt_tokens,
 * completion_tokens}, {@code model}, {@code model_id} (the deployment, taken for the replica), {@code status}, {@code cache_hit}.
 * Requests that failed, that have no answer (embeddings), or that LiteLLM answered from its own cache never decoded on a replica
 * and are left out. An answer that came in one piece has its first byte at its end: its time to the first token is not known.
 * Sessions and deployments are numbered in order of appearance; nothing is written of their names. The file is read twice, because
 * requests stand in the order of their ends.
 */
final class LiteLlmReader extends StreamedReader<TraceLines> {
    private static final String STARTED = "startTime";
    private static final String FIRST = "completionStartTime";
    private static final String ENDED = "endTime";
    private static final double LATEST_SECONDS = 1e10;

    private final long start;
    private final Histories histories = new Histories();
    private final Conversations conversations = new Conversations();
    private final Ordinals sessions = new Ordinals("s");
    private final Ordinals deployments = new Ordinals("");
    private long failed;
    private long unanswered;
    private long answeredByGateway;

    LiteLlmReader(TraceFile file, OnError onError) {
        this(file, onError, TraceLines.earliest(file, line -> nanos(JsonFields.of(line.text()), STARTED)));
    }

    private LiteLlmReader(TraceFile file, OnError onError, long start) {
        super(file, onError, TraceFormat.LITELLM, new TraceLines(file));
        this.start = start;
    }

    /** Seconds since 1970 to the microsecond, which is what a double holds of them. */
    private static long nanos(JsonFields row, String name) {
        double seconds = row.number(name);
        if (seconds < 0 || seconds > LATEST_SECONDS) {
            throw new RowException(name, "expected seconds since 1970, found " + seconds);
        }
        return Math.round(seconds * 1e6) * 1000;
    }

    @Override
    boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            row(JsonFields.of(source.text()));
        }
        return true;
    }

    private void row(JsonFields row) {
        int output = row.tokens("completion_tokens", 0);
        if (!row.textOr("status", "success").equals("success")) {
            failed++;
        } else if (row.flag("cache_hit")) {
            answeredByGateway++;
        } else if (output == 0) {
            unanswered++;
        } else {
            emit(turn(row, output));
        }
    }

    private Turn turn(JsonFields row, int output) {
        int tokens = row.tokens("prompt_tokens", 1);
        long started = nanos(row, STARTED);
        long ended = nanos(row, ENDED);
        if (ended < started) {
            throw new RowException(ENDED, "expected a time not before " + STARTED);
        }
        long first = row.has(FIRST) ? nanos(row, FIRST) : ended;
        long ttft = first >= started && first < ended ? first - started : Turn.UNKNOWN;
        String session = sessions.name(row.textOr("trace_id", ""));
        String deployment = deployments.name(row.textOr("model_id", ""));
        long arrival = started - start;
        int turn = conversations.next(session);
        Prompt prompt = histories.assumed(session, index(), tokens);
        histories.add(session, prompt, Turn.freshOutput(index()), output);
        long gap = conversations.gap(session, arrival);
        conversations.add(session, turn, arrival, ended - started);
        return new Turn(
                index(),
                arrival,
                session,
                "",
                turn,
                gap,
                prompt,
                output,
                Turn.freshOutput(index()),
                new Turn.Recorded(
                        deployment.isEmpty() ? -1 : Integer.parseInt(deployment) - 1,
                        Turn.UNKNOWN,
                        ttft,
                        ended - started),
                Turn.Labels.ofModel(row.textOr("model", "")));
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.ASSUMED;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        note(notes, failed, "failed");
        note(notes, answeredByGateway, "were answered from the gateway's own cache");
        note(notes, unanswered, "have no answer, as embeddings have none,");
        return notes;
    }

    private static void note(List<String> notes, long requests, String why) {
        if (requests > 0) {
            notes.add(requests + " requests " + why + " and were left out");
        }
    }
}

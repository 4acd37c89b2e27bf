package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The request log of a gateway as CSV: the columns are found by the names that gateways give them, see {@link Column}; time,
 * prompt tokens and completion tokens have to be there. Times are dates, or numbers: seconds since 1970 or the start, or
 * milliseconds since 1970, which are too large to be seconds. Milliseconds since the start look like seconds: they are read
 * from a column whose name ends with {@code _ms}. The unit that was taken is noted.
 * {@code input_tokens} beside cache-read or cache-creation columns is Anthropic's and does not count what was cached: the
 * prompt is the sum. Rows with a status of 400 or more, or without an answer, are left out. Sessions, agents and replicas are
 * numbered in order of appearance; nothing is written of their names.
 */
final class RequestLogReader extends CsvReader {
    private static final double FIRST_MILLIS = 1e11;

    /** What a column may be called. */
    private enum Column {
        TIME("time", "timestamp", "arrived", "started_at", "start_time", "starttime", "ts"),
        TIME_MS("time_ms", "timestamp_ms", "arrived_ms", "started_at_ms", "start_time_ms", "ts_ms"),
        SESSION("session", "session_id", "session_key", "conversation", "conversation_id", "trace_id"),
        AGENT("agent", "agent_id"),
        MODEL("model", "model_id"),
        REPLICA("replica", "rank", "backend", "upstream", "api_base"),
        PROMPT("prompt_tokens", "input_tokens", "tokens_in"),
        CACHED("cached_tokens", "cache_read_input_tokens", "cached_prompt_tokens"),
        CREATED("cache_creation_input_tokens"),
        OUTPUT("completion_tokens", "output_tokens", "tokens_out"),
        TTFT_S("ttft_s", "ttfb_s", "ttft", "ttfb"),
        TTFT_MS("ttft_ms", "ttfb_ms"),
        DURATION_S("duration_s", "latency_s", "duration", "latency", "response_time"),
        DURATION_MS("duration_ms", "latency_ms", "total_ms"),
        STATUS("status", "status_code");

        private final List<String> names;

        Column(String... names) {
            this.names = List.of(names);
        }

        private String in(CsvHeader header) {
            return names.stream().filter(header::has).findFirst().orElse("");
        }
    }

    private final String[] names = new String[Column.values().length];
    private final boolean anthropic;
    private final Histories histories = new Histories();
    private final Conversations conversations = new Conversations();
    private final Ordinals sessions = new Ordinals("s");
    private final Ordinals agents = new Ordinals("a");
    private final Ordinals replicas = new Ordinals("");
    private OptionalLong start = OptionalLong.empty();
    private String unit = "";
    private long failed;

    RequestLogReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.REQUEST_LOG);
        for (Column column : Column.values()) {
            names[column.ordinal()] = column.in(header());
        }
        for (Column needed : List.of(Column.TIME, Column.PROMPT, Column.OUTPUT)) {
            if (name(needed).isEmpty()
                    && !(needed == Column.TIME && !name(Column.TIME_MS).isEmpty())) {
                close();
                throw new UserError(file.path() + " line 1: there is no column " + String.join(" or ", needed.names)
                        + "; name the column so in the header '" + String.join(",", header().names()) + "'");
            }
        }
        anthropic = header().has("input_tokens")
                && (header().has("cache_read_input_tokens") || header().has("cache_creation_input_tokens"));
    }

    private String name(Column column) {
        return names[column.ordinal()];
    }

    @Override
    void row(CsvRow row) {
        String timeColumn = name(Column.TIME).isEmpty() ? name(Column.TIME_MS) : name(Column.TIME);
        long time = time(row, timeColumn);
        if (start.isEmpty()) {
            start = OptionalLong.of(time);
        }
        if (time < start.getAsLong()) {
            throw row.wrong(timeColumn, "expected a time not before that of the first row; sort the file by it");
        }
        if (row.has(name(Column.STATUS)) && failed(row.text(name(Column.STATUS)))) {
            failed++;
            return;
        }
        int output = row.tokens(name(Column.OUTPUT), 0);
        int tokens = row.tokens(name(Column.PROMPT), 0);
        long cached = row.has(name(Column.CACHED)) ? row.tokens(name(Column.CACHED), 0) : Turn.UNKNOWN;
        if (anthropic) {
            tokens += (int) Math.max(0, cached)
                    + (row.has(name(Column.CREATED)) ? row.tokens(name(Column.CREATED), 0) : 0);
        }
        if (tokens < 1) {
            throw row.wrong(name(Column.PROMPT), "expected at least 1 token");
        }
        if (cached > tokens) {
            throw row.wrong(name(Column.CACHED), "expected at most the " + tokens + " tokens of the prompt");
        }
        String session = sessions.name(row.text(name(Column.SESSION)));
        String agent = session.isEmpty() || row.text(name(Column.AGENT)).isEmpty()
                ? ""
                : agents.name(session + '\n' + row.text(name(Column.AGENT)));
        String conversation = agent.isEmpty() ? session : session + '/' + agent;
        String replica = replicas.name(row.text(name(Column.REPLICA)));
        long arrival = time - start.getAsLong();
        long ttft = duration(row, Column.TTFT_S, Column.TTFT_MS);
        long duration = duration(row, Column.DURATION_S, Column.DURATION_MS);
        int turn = conversations.next(conversation);
        Prompt prompt = histories.assumed(conversation, index(), tokens, cached);
        int answer = Math.max(1, output);
        histories.add(conversation, prompt, Turn.freshOutput(index()), answer);
        long gap = conversations.gap(conversation, arrival);
        conversations.add(conversation, turn, arrival, duration);
        emit(new Turn(
                index(),
                arrival,
                session,
                agent,
                turn,
                gap,
                prompt,
                answer,
                Turn.freshOutput(index()),
                new Turn.Recorded(replica.isEmpty() ? -1 : Integer.parseInt(replica) - 1, cached, ttft, duration),
                Turn.Labels.ofModel(row.text(name(Column.MODEL)))));
    }

    private long time(CsvRow row, String name) {
        return WallClock.nanos(row.text(name)).orElseGet(() -> {
            long number = row.nanos(name, 1); // too small by the unit, only to see which it is
            boolean named = name.equals(name(Column.TIME_MS));
            boolean millis = named || number >= FIRST_MILLIS;
            if (unit.isEmpty()) {
                String otherwise = millis ? "" : "; name the column time_ms if they are milliseconds";
                unit = "times in column '" + name + "' were taken as " + (millis ? "milliseconds" : "seconds")
                        + otherwise;
            }
            return row.nanos(name, millis ? JsonRows.MILLI : JsonRows.SECOND);
        });
    }

    private static boolean failed(String status) {
        return status.length() == 3 && status.charAt(0) >= '4' && status.charAt(0) <= '9'
                || status.toLowerCase(Locale.ROOT).matches("error|failed|failure|aborted");
    }

    private long duration(CsvRow row, Column seconds, Column millis) {
        if (row.has(name(seconds))) {
            return Math.max(0, row.nanos(name(seconds), JsonRows.SECOND));
        }
        return row.has(name(millis)) ? Math.max(0, row.nanos(name(millis), JsonRows.MILLI)) : Turn.UNKNOWN;
    }

    @Override
    Prefixes prefixes() {
        return name(Column.SESSION).isEmpty() ? Prefixes.NONE : Prefixes.ASSUMED;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!unit.isEmpty()) {
            notes.add(unit);
        }
        if (failed > 0) {
            notes.add(failed + " requests failed and were left out");
        }
        if (name(Column.SESSION).isEmpty()) {
            notes.add("there is no session column: nothing is known of what prompts share");
        }
        return notes;
    }
}

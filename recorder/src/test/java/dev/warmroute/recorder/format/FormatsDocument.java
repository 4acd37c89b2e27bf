package dev.warmroute.recorder.format;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes docs/FORMATS.md from the registry. */
final class FormatsDocument {
    private static final String HEAD = """
            # Trace formats

            A trace of any format here can be replayed and analysed where it lies, brought into a trace directory, and written in
            another format:

            ```
            warmroute whatif mooncake:conversation_trace.jsonl --replicas 8 --policy round_robin,warden
            warmroute trace import burstgpt:BurstGPT_3.csv.gz -o ./burstgpt --on-error 100
            warmroute trace export ./burstgpt --to tracelab-replay -o replay.csv
            warmroute trace formats
            ```

            This page is generated from the registry, `recorder/.../format/TraceFormat.java`; a test fails when it is out of date, and
            `mvn -pl recorder test -Dtest=FormatsDocumentTest -Dupdate` writes it anew. The example of each format
            below reads a small file of `data/examples/formats/`; a format without an example has none.

            **Reading.** Files are read as a stream, through gzip or zstd when their first bytes say so, and more than once: a pipe
            is refused. `FORMAT/SIZE:FILE` reads blocks of another size where a format has blocks. A wrong row is reported with file, line, field, what was expected and
            what was found; `--on-error skip`, or a number, leaves wrong rows out and counts them in the answer and in the
            manifest. What a row says in order, such as a request that failed, is no wrong row: it is left out with a note.

            **Prompts.** Where a format has ids of blocks or texts, prompts share what these share. Where it has lengths only, a
            prompt that is long enough to hold the one before it in its conversation and the answer is taken to repeat both, and
            a shorter one what the provider's cache had of it, where that is said; `trace import` says which of these holds. Where
            nothing is known (`azure`, `vllm-bench`), no prompt shares anything: `whatif` says so, and `capacity` refuses.

            **A trace directory that was imported** has the requests in `turns/*.parquet`, a column for each field and a prompt as
            two lists (where its runs of tokens start, how long they are), and where they came from in `trace.json`. It replays to
            the same figures as the file, and `trace export` writes the same bytes from either.

            **Writing.** What is imported, exported and imported again is the same, to the last field that the format carries; what
            it does not carry, `trace export` says in a line, with the number of requests. A file is written beside its name and
            renamed when it is whole, and compressed when its name ends with `.gz` or `.zst`. Formats that have whole sessions
            (`kv-cache-tester`, `aiperf-multi-turn`, `vllm-conversations`) keep the requests in memory until the end; ids of
            blocks that have to be given take 24 bytes for each distinct block.

            **Privacy.** Of texts only sizes and equality are taken. Names of sessions in transcripts, gateway logs and Dynamo's traces are
            replaced by numbers when they are read; the public traces' own are anonymous already and kept.

            """;

    private FormatsDocument() {}

    static String markdown() {
        StringBuilder out = new StringBuilder(HEAD);
        out.append(
                "## Overview\n\nEvery format carries the length of each prompt.\n\n| format | read, written | carries |\n|---|---|---|\n");
        for (TraceFormat f : TraceFormat.values()) {
            out.append("| [`")
                    .append(f.formatName())
                    .append("`](#")
                    .append(f.formatName())
                    .append(") | ");
            out.append(f.isWritten() ? "both" : "read")
                    .append(" | ")
                    .append(carries(f))
                    .append(" |\n");
        }
        for (TraceFormat f : TraceFormat.values()) {
            format(out, f);
        }
        return out.toString();
    }

    private static void format(StringBuilder out, TraceFormat f) {
        out.append("\n## ")
                .append(f.formatName())
                .append("\n\n")
                .append(f.summary())
                .append(". From: ")
                .append(f.source())
                .append('.');
        f.blockSize().ifPresent(b -> out.append(" Blocks of ").append(b).append(" tokens unless said otherwise."));
        if (!f.isWritten()) {
            out.append(" Only read: ").append(f.whyNotWritten()).append('.');
        }
        out.append("\n\n");
        traps(f).forEach(t -> out.append("- ").append(t).append('\n'));
        sample(f)
                .ifPresent(s -> out.append("\n```\nwarmroute trace import ")
                        .append(f.formatName())
                        .append(":data/examples/formats/")
                        .append(s)
                        .append(" -o ./")
                        .append(f.formatName())
                        .append("\n```\n"));
    }

    private static Optional<String> sample(TraceFormat f) {
        return Samples.ALL.stream()
                .filter(s -> Samples.format(s) == f)
                .map(s -> s.substring(s.indexOf(':') + 1))
                .findFirst();
    }

    private static String carries(TraceFormat f) {
        return Arrays.stream(Part.values())
                .filter(f.carries()::contains)
                .map(Part::words)
                .collect(Collectors.joining(", "));
    }

    /** What is known to go wrong with a format, and what is done about it; each has a test. */
    private static List<String> traps(TraceFormat f) {
        return switch (f) {
            case MOONCAKE ->
                List.of(
                        "Timestamps come in batches: ties keep the order of the file.",
                        "The last block is partial: there are ceil(length / 512) ids, and a row with another number is refused; the message"
                                + " says which block size would fit.",
                        "Ids are global: every conversation row begins with the same system block.",
                        "An answer of 0 tokens counts as 1.");
            case BAILIAN ->
                List.of(
                        "Timestamps are seconds; blocks have 16 tokens, the last one partial.",
                        "A session is the chain of `parent_chat_id`; one whose beginning lies before the trace begins with its first request"
                                + " in it, with a note.",
                        "A turn need not extend the one before: thoughts are stripped and the last block changes.",
                        "There are no service times: a replay is an open loop.");
            case CLAUDE_CODE ->
                List.of(
                        "Only full blocks have ids (floor): the rest of a prompt is shared with nobody.",
                        "Ids are local to a session and shared by its sub-agents; every session has its own clock.",
                        "`api_time`, `think_time` and `ttft` may be missing; the gap before a turn is then what the clock says.");
            case KV_CACHE_TESTER ->
                List.of(
                        "Times of a sub-agent's requests count from its entry in the raw files, from the session's start in the releases.",
                        "`duration_ms` of a sub-agent may be null; `hash_id_scope` may be local or global.",
                        "One object a file, one a line, one after the other, a list of them, or a directory; read a request at a time.",
                        "A session without its list of requests is a wrong row.");
            case AZURE ->
                List.of(
                        "Seven digits behind the second and no zone (2023), six or none and an offset (2024).",
                        "Lines end with CR LF, and the last one with nothing; `NumImages` of the multimodal trace is passed over.",
                        "Nothing says what prompts share.");
            case BURSTGPT ->
                List.of(
                        "The first timestamp is not 0 in every file: times count from it.",
                        "Sessions are those of conversations only; session, elapsed time and model may be blank or their columns missing.",
                        "A request without response tokens failed and is left out, with a note.");
            case TRACELAB ->
                List.of(
                        "`input_tokens_total` is `prefix_tokens` + `newly_append_tokens`; a row that does not add up is refused.",
                        "A round is sent when its last input is there and ends with its last event, a usage report included.",
                        "Sessions stand one after the other, not in the order of time: the file is read twice.");
            case TRACELAB_REPLAY ->
                List.of(
                        "`input_len` is what is appended, not the prompt.",
                        "The session is `session_id` or `id`; `arrival_time` is the session's, in milliseconds, and may be missing.",
                        "Later rounds have the earliest time that they can; a closed loop needs their waits only.");
            case DYNAMO ->
                List.of(
                        "Hashes are unsigned 64-bit numbers, of all blocks or of the full ones.",
                        "Records are bare or within `event`, in the order of their ends: the file is read twice for the first arrival.",
                        "Tools and payloads are passed over; a trajectory with a parent is a sub-agent.",
                        "Without `total_time_ms` a request ended at `event_time_unix_ms`; without that or `request_received_ms` its"
                                + " duration is unknown, and so it is written.",
                        "The block size stands in the records, and is one for the trace.");
            case AIPERF_MOONCAKE ->
                List.of(
                        "Nearly every field may be missing; delays are milliseconds.",
                        "A row with `hash_ids` or `messages` is a whole prompt, one with a length or a text what the turn adds.",
                        "An answer without a length counts as 1 token, with a note.");
            case AIPERF_MULTI_TURN ->
                List.of(
                        "A turn is what the user adds: the session's turns and answers before it are part of its prompt.",
                        "Answers have no length. Turns of another role ask for nothing.");
            case VLLM_CONVERSATIONS ->
                List.of(
                        "There are no times: the benchmark sends a turn when the answer before it is there.",
                        "A conversation ends where it is wrong, for what follows repeats it: it is one wrong row, however long it is.",
                        "A description of conversations to be generated is refused with what to do.");
            case VLLM_BENCH ->
                List.of(
                        "Without `--save-detailed` there are sums only: refused with what to do.",
                        "`request_rate` may be the text \"inf\"; failed requests are left out, with a note; start times need not be sorted.");
            case REQUEST_LOG ->
                List.of(
                        "Columns go by any of the names that gateways give them.",
                        "Times are dates, seconds since 1970 or the start, or milliseconds since 1970; milliseconds since the start are read"
                                + " from a column named `time_ms` or `timestamp_ms`. The unit that was taken is noted.",
                        "`input_tokens` beside `cache_read_input_tokens` is Anthropic's: the prompt is the sum.",
                        "Failed requests (status 400 and above) are left out, with a note.");
            case LITELLM ->
                List.of(
                        "Requests stand in the order of their ends: the file is read twice for the first arrival.",
                        "`trace_id` is the session that the client named; one that nobody named is a conversation of one turn.",
                        "Failures, embeddings and what LiteLLM answered from its own cache are left out, with notes.",
                        "`completionStartTime` of an answer in one piece is its end: no time to the first token.");
            case CLAUDE_TRANSCRIPT ->
                List.of(
                        "One answer stands in several records with the same `message.id` and its usage repeated: one request.",
                        "`input_tokens` does not count what was read from or written to the cache: the prompt is the sum.",
                        "Sub-agents have files of their own or are marked; records may be laid out for human eyes.");
            case CODEX_TRANSCRIPT ->
                List.of(
                        "`last_token_usage` is the request's, `total_token_usage` the session's so far; a repeated count is passed over.",
                        "A count without `info` tells of rate limits only.");
            case VLLM_TIMED ->
                List.of(
                        "Blocks have 16 tokens unless the benchmark is told otherwise; Mooncake's own files are `vllm-timed/512`.",
                        "Tokens behind an id differ from process to process in vLLM; what is shared does not.");
            case FLEET ->
                List.of(
                        "Equal names of segments are equal tokens; a prompt must be as long as its segments.",
                        "Counters do not start at 0; a decision or completion that appears twice is refused.");
        };
    }
}

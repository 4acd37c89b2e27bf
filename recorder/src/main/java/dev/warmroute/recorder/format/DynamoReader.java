package dev.warmroute.recorder.format;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Request traces of NVIDIA Dynamo ({@code DYN_REQUEST_TRACE}, before that its agent traces): one record a line, bare or as
 * {@code event} within {@code {timestamp, event}}. Of the records, {@code request_end} is a request; tools and payloads are
 * passed over. A request has {@code request_received_ms} and {@code total_time_ms} (else it ended at {@code
 * event_time_unix_ms}, and where only one of these times is known its duration is not), {@code output_tokens} and {@code replay {trace_block_size, input_length, input_sequence_hashes}}:
 * unsigned 64-bit hashes that stand for a block and everything before it, of all blocks or of the full ones. {@code
 * agent_context} has the session and, within it, the trajectory; older files call them workflow and program.
 *
 * <p>Names of sessions and trajectories are the harness's own and are replaced by numbers in order of appearance. Records stand
 * in the order of their ends, so the file is read twice to find the first arrival.
 */
final class DynamoReader extends StreamedReader<TraceLines> {
    private static final String REPLAY = "replay";
    private static final String HASHES = "input_sequence_hashes";
    /** Start of the tokens behind the last block that has a hash. */
    private static final long TAIL_SPACE = 1L << 60;

    private static final int TAIL_BITS = 24;

    private final long startMillis;
    private final LongIds blocks = new LongIds();
    private final Ordinals sessions = new Ordinals("s");
    private final Ordinals agents = new Ordinals("a");
    private final Map<String, String> mains = new HashMap<>();
    private final Conversations conversations = new Conversations();
    private OptionalInt blockSize = OptionalInt.empty();
    private long unhashed;

    DynamoReader(TraceFile file, OnError onError) {
        this(file, onError, TraceLines.earliest(file, DynamoReader::received));
    }

    private DynamoReader(TraceFile file, OnError onError, long start) {
        super(file, onError, TraceFormat.DYNAMO, new TraceLines(file));
        this.startMillis = start;
    }

    private static long received(TraceLines line) {
        JsonFields record = record(line);
        return isRequest(record) ? received(record) : Long.MAX_VALUE;
    }

    private static JsonFields record(TraceLines line) {
        JsonFields row = JsonFields.of(line.text());
        return row.has("event") && !row.has("event_type") ? row.object("event") : row;
    }

    private static boolean isRequest(JsonFields record) {
        return record.textOr("event_type", "").equals("request_end") && record.has("request");
    }

    private static long received(JsonFields record) {
        JsonFields request = record.object("request");
        return request.has("request_received_ms")
                ? request.whole("request_received_ms", 0)
                : record.whole("event_time_unix_ms", 0) - Math.round(request.numberOr("total_time_ms", 0));
    }

    private static long duration(JsonFields record, JsonFields request) {
        if (request.has("total_time_ms")) {
            return Math.max(0, Math.round(request.number("total_time_ms") * JsonRows.MILLI));
        }
        if (!request.has("request_received_ms") || !record.has("event_time_unix_ms")) {
            return Turn.UNKNOWN;
        }
        return Math.max(0, record.whole("event_time_unix_ms", 0) - received(record)) * JsonRows.MILLI;
    }

    @Override
    boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            JsonFields record = record(source);
            if (!record.has("event_type")) {
                throw new RowException("event_type", "missing; is it a request trace of Dynamo?");
            }
            if (isRequest(record)) {
                emit(turn(record));
            }
        }
        return true;
    }

    private Turn turn(JsonFields record) {
        JsonFields request = record.object("request");
        long received = received(record);
        long duration = duration(record, request);
        int output = Math.max(1, request.tokens("output_tokens", 0));
        Prompt prompt =
                request.has(REPLAY) ? hashed(request.object(REPLAY)) : unhashed(request.tokens("input_tokens", 1));
        JsonFields context = record.has("agent_context") ? record.object("agent_context") : JsonFields.of("{}");
        String sessionName = context.textOr("session_id", context.textOr("workflow_id", ""));
        String trajectory = context.textOr("trajectory_id", context.textOr("program_id", sessionName));
        String parent = context.textOr("parent_trajectory_id", context.textOr("parent_program_id", ""));
        String session = sessions.name(sessionName);
        String agent = agent(sessionName, trajectory, parent);
        String conversation = session + '/' + agent;
        long arrival = (received - startMillis) * JsonRows.MILLI;
        int turn = session.isEmpty() ? 0 : conversations.next(conversation);
        long gap = session.isEmpty() ? Turn.UNKNOWN : conversations.gap(conversation, arrival);
        conversations.add(session.isEmpty() ? "" : conversation, turn, arrival, duration);
        double ttft = request.numberOr("ttft_ms", -1);
        return new Turn(
                index(),
                arrival,
                session,
                agent,
                turn,
                gap,
                prompt,
                output,
                Turn.freshOutput(index()),
                new Turn.Recorded(
                        -1,
                        request.wholeOr("cached_tokens", Turn.UNKNOWN),
                        ttft < 0 ? Turn.UNKNOWN : Math.round(ttft * JsonRows.MILLI),
                        duration),
                new Turn.Labels("", "", parentAgent(sessionName, parent), request.textOr("model", ""), "", ""));
    }

    /** The first trajectory of a session that has no parent is its main agent; all others are sub-agents. */
    private String agent(String session, String trajectory, String parent) {
        boolean main = session.isEmpty()
                || trajectory.equals(session)
                || parent.isEmpty()
                        && mains.computeIfAbsent(session, s -> trajectory).equals(trajectory);
        return main ? "" : agents.name(session + '\n' + trajectory);
    }

    private String parentAgent(String session, String parent) {
        String key = session + '\n' + parent;
        return agents.has(key) ? agents.name(key) : "";
    }

    private Prompt hashed(JsonFields replay) {
        int size = replay.count("trace_block_size", 1);
        int tokens = replay.tokens("input_length", 1);
        JsonNode hashes = replay.list(HASHES);
        if (blockSize.isEmpty()) {
            blockSize = OptionalInt.of(size);
        }
        if (size != blockSize.getAsInt()) {
            throw new RowException(
                    "trace_block_size",
                    "expected " + blockSize.getAsInt() + " as in the requests before, found " + size);
        }
        if (hashes.size() != tokens / size && hashes.size() != Math.ceilDiv(tokens, size)) {
            throw new RowException(
                    HASHES,
                    "expected " + tokens / size + " hashes of full blocks, or one more, for input_length " + tokens
                            + " in blocks of " + size + ", found " + hashes.size());
        }
        Prompt.Builder prompt = Prompt.builder();
        int left = tokens;
        for (JsonNode hash : hashes) {
            if (!hash.isIntegralNumber()
                    || hash.bigIntegerValue().signum() < 0
                    || hash.bigIntegerValue().bitLength() > 64) {
                throw JsonFields.wrong(HASHES, "unsigned 64-bit numbers", hash);
            }
            prompt.span((long) blocks.id(hash.bigIntegerValue().longValue()) * size, Math.min(size, left));
            left -= Math.min(size, left);
        }
        return prompt.span(TAIL_SPACE + ((long) index() << TAIL_BITS), left).build();
    }

    private Prompt unhashed(int tokens) {
        unhashed++;
        return Prompt.of(TAIL_SPACE + ((long) index() << TAIL_BITS), tokens);
    }

    @Override
    int blockSize() {
        return blockSize.orElse(0);
    }

    @Override
    Prefixes prefixes() {
        return blockSize.isPresent() ? Prefixes.BLOCKS : Prefixes.NONE;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (unhashed > 0) {
            notes.add(unhashed + " requests have no replay hashes; nothing is known of what their prompts share");
        }
        return notes;
    }
}

package dev.warmroute.recorder.format;

import static dev.warmroute.recorder.format.Part.AGENTS;
import static dev.warmroute.recorder.format.Part.ANSWERS;
import static dev.warmroute.recorder.format.Part.CACHED;
import static dev.warmroute.recorder.format.Part.DURATIONS;
import static dev.warmroute.recorder.format.Part.GAPS;
import static dev.warmroute.recorder.format.Part.KINDS;
import static dev.warmroute.recorder.format.Part.MODELS;
import static dev.warmroute.recorder.format.Part.PARENT_AGENTS;
import static dev.warmroute.recorder.format.Part.PREFIXES;
import static dev.warmroute.recorder.format.Part.REPLICAS;
import static dev.warmroute.recorder.format.Part.REQUEST_IDS;
import static dev.warmroute.recorder.format.Part.SESSIONS;
import static dev.warmroute.recorder.format.Part.STOPS;
import static dev.warmroute.recorder.format.Part.TIMES;
import static dev.warmroute.recorder.format.Part.TTFT;

import dev.warmroute.router.UserError;
import java.io.Writer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Registry of the trace formats: one constant each, in the order in which they are shown. A format that has a writer carries
 * what its constant says both ways; {@code docs/FORMATS.md} is written from here.
 */
public enum TraceFormat {
    MOONCAKE(
            "mooncake",
            "JSONL: timestamp (ms), input_length, output_length, hash_ids of 512-token blocks; session_id, turn, delay if known",
            "Mooncake FAST'25 release",
            EnumSet.of(TIMES, SESSIONS, GAPS, PREFIXES, ANSWERS),
            Block.of(MooncakeReader.BLOCK_SIZE),
            MooncakeReader::new,
            MooncakeWriter::new),
    BAILIAN(
            "bailian",
            "JSONL: chat_id, parent_chat_id, timestamp (s), input_length, output_length, type, turn, hash_ids of 16-token blocks",
            "Qwen-Bailian, KVCache in the wild",
            EnumSet.of(TIMES, SESSIONS, PREFIXES, ANSWERS, REQUEST_IDS, KINDS),
            Block.of(BlockSizes.BAILIAN),
            BailianReader::new,
            BailianWriter::new),
    CLAUDE_CODE(
            "claude-code",
            "JSONL: requests of Claude Code sessions with runs of 64-token blocks; reads kv-cache-tester's JSON and Mooncake rows made"
                    + " from it too",
            "kv-cache-tester, re-encoded",
            EnumSet.of(TIMES, SESSIONS, AGENTS, GAPS, PREFIXES, ANSWERS, TTFT, DURATIONS, MODELS, KINDS, STOPS),
            Block.NONE,
            ClaudeCodeReader::open,
            sessions(ClaudeCodeWriter::new)),
    KV_CACHE_TESTER(
            "kv-cache-tester",
            "JSON: Claude Code sessions with hash_ids of 64-token blocks and nested sub-agents; a file or a directory",
            "callanjfox/kv-cache-tester, SemiAnalysis AgentX",
            EnumSet.of(
                    TIMES,
                    SESSIONS,
                    AGENTS,
                    PARENT_AGENTS,
                    GAPS,
                    PREFIXES,
                    ANSWERS,
                    TTFT,
                    DURATIONS,
                    MODELS,
                    KINDS,
                    STOPS),
            Block.NONE,
            KvCacheTesterReader::new,
            sessions(KvCacheTesterWriter::new)),
    AZURE(
            "azure",
            "CSV: TIMESTAMP, ContextTokens, GeneratedTokens",
            "Azure LLM inference traces 2023 and 2024",
            EnumSet.of(TIMES, ANSWERS),
            Block.NONE,
            AzureReader::new,
            plain(AzureWriter::new)),
    BURSTGPT(
            "burstgpt",
            "CSV: Timestamp (s), Session ID, Elapsed time, Model, Request tokens, Response tokens, Total tokens, Log Type",
            "HPMLL/BurstGPT",
            EnumSet.of(TIMES, SESSIONS, GAPS, ANSWERS, DURATIONS, MODELS, KINDS),
            Block.NONE,
            BurstGptReader::new,
            gapsByDuration(plain(BurstGptWriter::new))),
    TRACELAB(
            "tracelab",
            "JSONL: rounds of coding agents with token counts and timing events",
            "uw-syfi/TraceLab",
            EnumSet.of(TIMES, SESSIONS, GAPS, ANSWERS, CACHED, DURATIONS, REQUEST_IDS, MODELS, KINDS),
            Block.NONE,
            TraceLabReader::new,
            gapsByDuration(plain(TraceLabWriter::new))),
    TRACELAB_REPLAY(
            "tracelab-replay",
            "CSV: session_id, arrival_time (ms), round_idx, prefix_len, input_len, output_len, tool_wait_after_ms",
            "uw-syfi/TraceLab, replay",
            EnumSet.of(TIMES, SESSIONS, GAPS, PREFIXES, ANSWERS),
            Block.NONE,
            TraceLabReplayReader::new,
            plain(TraceLabReplayWriter::new)),
    DYNAMO(
            "dynamo",
            "JSONL: request_end records of Dynamo's request traces with input_sequence_hashes; tools and payloads are passed over",
            "NVIDIA Dynamo, DYN_REQUEST_TRACE",
            EnumSet.of(
                    TIMES, SESSIONS, AGENTS, PARENT_AGENTS, GAPS, PREFIXES, ANSWERS, CACHED, TTFT, DURATIONS, MODELS),
            Block.NONE,
            DynamoReader::new,
            gapsByDuration((text, source, blockSize) -> new DynamoWriter(text, source, BlockSizes.DYNAMO))),
    AIPERF_MOONCAKE(
            "aiperf-mooncake",
            "JSONL: AIPerf's mooncake_trace, Mooncake rows of which nearly everything may be missing, or texts or messages",
            "AIPerf --custom-dataset-type mooncake_trace",
            EnumSet.of(TIMES, SESSIONS, GAPS, PREFIXES, ANSWERS),
            Block.of(MooncakeReader.BLOCK_SIZE),
            AiperfMooncakeReader::new,
            AiperfMooncakeWriter::new),
    AIPERF_MULTI_TURN(
            "aiperf-multi-turn",
            "JSONL: AIPerf's multi_turn, a session a line with what each turn adds as text; sizes only, four bytes a token",
            "AIPerf --custom-dataset-type multi_turn",
            EnumSet.of(TIMES, SESSIONS, GAPS, PREFIXES),
            Block.NONE,
            AiperfMultiTurnReader::new,
            plain(AiperfMultiTurnWriter::new)),
    VLLM_CONVERSATIONS(
            "vllm-conversations",
            "JSON: conversations of vLLM's multi-turn benchmark; sizes only, four bytes a token",
            "vLLM, benchmarks/multi_turn",
            EnumSet.of(SESSIONS, GAPS, PREFIXES, ANSWERS),
            Block.NONE,
            VllmConversationsReader::new,
            plain(VllmConversationsWriter::new)),
    VLLM_BENCH(
            "vllm-bench",
            "JSON: result of vllm bench serve --save-result --save-detailed",
            "vLLM, vllm bench serve",
            EnumSet.of(TIMES, ANSWERS, TTFT, DURATIONS, MODELS),
            Block.NONE,
            VllmBenchReader::new,
            "it is the result of a measurement, which is not to be made up"),
    REQUEST_LOG(
            "request-log",
            "CSV: a gateway's log (as LM Warden's): time, session, agent, model, replica, prompt_tokens, cached_tokens,"
                    + " completion_tokens, ttft_s, duration_s, status",
            "gateways",
            EnumSet.of(TIMES, SESSIONS, AGENTS, GAPS, ANSWERS, CACHED, TTFT, DURATIONS, REPLICAS, MODELS),
            Block.NONE,
            RequestLogReader::new,
            gapsByDuration(plain(RequestLogWriter::new))),
    LITELLM(
            "litellm",
            "JSONL: LiteLLM's log, a StandardLoggingPayload a line: trace_id, startTime, completionStartTime, endTime,"
                    + " prompt_tokens, completion_tokens, model, model_id, status, cache_hit",
            "LiteLLM",
            EnumSet.of(TIMES, SESSIONS, GAPS, ANSWERS, TTFT, DURATIONS, REPLICAS, MODELS),
            Block.NONE,
            LiteLlmReader::new,
            "it says what a gateway was asked and what that cost, which requests alone do not tell"),
    CLAUDE_TRANSCRIPT(
            "claude-transcript",
            "JSONL: Claude Code's own transcripts, a file or a directory; sizes and times only",
            "~/.claude/projects",
            EnumSet.of(TIMES, SESSIONS, AGENTS, GAPS, ANSWERS, CACHED, DURATIONS, MODELS, STOPS),
            Block.NONE,
            ClaudeTranscriptReader::new,
            "it is what people and agents said, of which only sizes are taken"),
    CODEX_TRANSCRIPT(
            "codex-transcript",
            "JSONL: Codex's own rollouts, a file or a directory; sizes and times only",
            "~/.codex/sessions",
            EnumSet.of(TIMES, SESSIONS, GAPS, ANSWERS, CACHED, DURATIONS, MODELS),
            Block.NONE,
            CodexTranscriptReader::new,
            "it is what people and agents said, of which only sizes are taken"),
    VLLM_TIMED(
            "vllm-timed",
            "JSONL: rows of vllm bench serve's timed_trace, as Mooncake's with 16-token blocks",
            "vLLM, vllm bench serve --dataset-name timed_trace",
            EnumSet.of(TIMES, PREFIXES, ANSWERS),
            Block.of(BlockSizes.VLLM_TIMED),
            MooncakeReader::timed,
            MooncakeWriter::timed),
    FLEET(
            "fleet",
            "JSONL: decisions, completions and counters of a recorded vLLM fleet",
            "own recordings",
            EnumSet.of(TIMES, SESSIONS, GAPS, PREFIXES, ANSWERS, CACHED, TTFT, DURATIONS, REPLICAS),
            Block.NONE,
            FleetReader::new,
            "it records what replicas did and decided, which requests alone do not tell");

    /** Opens a file of this format. */
    @FunctionalInterface
    interface Opener {
        TraceReader open(TraceFile file, OnError onError);
    }

    /** Begins a file of this format. */
    @FunctionalInterface
    interface Exporter {
        TurnWriter open(Writer text, TraceDescription source, int blockSize);
    }

    /** Begins a file of a format whose blocks have one size. */
    @FunctionalInterface
    private interface PlainExporter {
        TurnWriter open(Writer text, TraceDescription source);
    }

    /** Tokens in a block, where the user may say. */
    private record Block(OptionalInt usual) {
        private static final Block NONE = new Block(OptionalInt.empty());

        private static Block of(int usual) {
            return new Block(OptionalInt.of(usual));
        }
    }

    private final String formatName;
    private final String summary;
    private final String source;
    private final Set<Part> carries;
    private final Block block;
    private final Opener opener;
    private final Optional<Exporter> exporter;
    private final String whyNotWritten;

    TraceFormat(
            String formatName,
            String summary,
            String source,
            EnumSet<Part> carries,
            Block block,
            Opener opener,
            Optional<Exporter> exporter,
            String whyNotWritten) {
        this.formatName = formatName;
        this.summary = summary;
        this.source = source;
        this.carries = Set.copyOf(carries);
        this.block = block;
        this.opener = opener;
        this.exporter = exporter;
        this.whyNotWritten = whyNotWritten;
    }

    /** A format that is read and written. */
    TraceFormat(
            String formatName,
            String summary,
            String source,
            EnumSet<Part> carries,
            Block block,
            Opener opener,
            Exporter exporter) {
        this(formatName, summary, source, carries, block, opener, Optional.of(exporter), "");
    }

    /** A format that is only read. */
    TraceFormat(
            String formatName,
            String summary,
            String source,
            EnumSet<Part> carries,
            Block block,
            Opener opener,
            String whyNotWritten) {
        this(formatName, summary, source, carries, block, opener, Optional.empty(), whyNotWritten);
    }

    private static Exporter plain(PlainExporter exporter) {
        return (text, source, blockSize) -> exporter.open(text, source);
    }

    /** A writer of sessions, which refuses requests that have none. */
    private static Exporter sessions(PlainExporter exporter) {
        return (text, source, blockSize) -> new SessionsOnly(exporter.open(text, source), source);
    }

    /** A writer of a format that has times between turns only where durations tell when a turn ended. */
    private static Exporter gapsByDuration(Exporter exporter) {
        return (text, source, blockSize) -> new GapsByDuration(exporter.open(text, source, blockSize));
    }

    /** What stands before the colon of a trace argument. */
    public String formatName() {
        return formatName;
    }

    /** One line for help texts. */
    public String summary() {
        return summary;
    }

    /** Whose format it is. */
    public String source() {
        return source;
    }

    /** What it says about a request. */
    public Set<Part> carries() {
        return carries;
    }

    /** Tokens in a block unless the user says otherwise; empty where a format has no blocks or their size stands in the file. */
    public OptionalInt blockSize() {
        return block.usual;
    }

    public boolean isWritten() {
        return exporter.isPresent();
    }

    /** Why there is no writer; empty when there is one. */
    public String whyNotWritten() {
        return whyNotWritten;
    }

    public static List<String> names() {
        return Arrays.stream(values()).map(TraceFormat::formatName).toList();
    }

    /**
     * Returns the format with this name.
     *
     * @throws UserError if there is none; the message lists those there are
     */
    public static TraceFormat named(String name) {
        for (TraceFormat f : values()) {
            if (f.formatName.equals(name)) {
                return f;
            }
        }
        throw new UserError("there is no trace format '" + name + "'; there are " + String.join(", ", names()));
    }

    /**
     * Opens a file; gzip and zstd are recognised by content.
     *
     * @throws UserError if the file cannot be read, or a block size is given to a format that has none
     */
    public TraceReader open(TraceFile file, OnError onError) {
        requireBlockSize(file.blockSize());
        return opener.open(file, onError);
    }

    /**
     * Begins a file.
     *
     * @param size tokens in a block, where the user said
     * @throws UserError if this format is not written
     */
    TurnWriter write(Writer text, TraceDescription trace, OptionalInt size) {
        requireBlockSize(size);
        return exporter.orElseThrow(() ->
                        new UserError(formatName + " is only read: " + whyNotWritten + "; written are "
                                + String.join(
                                        ", ",
                                        Arrays.stream(values())
                                                .filter(TraceFormat::isWritten)
                                                .map(TraceFormat::formatName)
                                                .toList())))
                .open(text, trace, size.orElse(block.usual.orElse(0)));
    }

    private void requireBlockSize(OptionalInt size) {
        if (size.isPresent() && block.usual.isEmpty()) {
            throw new UserError(formatName + " has no block size to choose; leave out /" + size.getAsInt());
        }
    }
}

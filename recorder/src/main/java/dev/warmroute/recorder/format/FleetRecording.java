package dev.warmroute.recorder.format;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One cell of a recorded vLLM fleet: closed-loop agent sessions against real servers, placed by a policy in the client.
 * Small enough to be held whole. Times are nanoseconds from the start of the cell.
 *
 * @param decisions in the order in which they were taken
 * @param completions by id of the decision
 * @param counters scrapes in the order of the file; absolute values that need not start at 0
 * @param skipped wrong rows left out
 */
public record FleetRecording(
        TraceFile file,
        Config config,
        List<Decision> decisions,
        Map<Long, Completion> completions,
        List<Counters> counters,
        long skipped) {

    /** Most tokens in one segment. */
    static final int MAX_SEGMENT = (1 << 24) - 1;

    public FleetRecording {
        decisions = List.copyOf(decisions);
        completions = Map.copyOf(completions);
        counters = List.copyOf(counters);
    }

    /**
     * How the cell was run.
     *
     * @param policy as the recording spells it
     * @param sessions conversations at a time
     * @param seconds after which no new turn starts
     * @param sharedTokens system prompt that all sessions share
     * @param firstTokens first user message
     * @param deltaTokens every later user message
     * @param outputTokens mean length of an answer
     * @param gapSeconds mean time between turns
     * @param overflowThreshold in-flight count at which a home overflows; 0 when not said
     */
    public record Config(
            String policy,
            int sessions,
            int replicas,
            double seconds,
            long seed,
            int sharedTokens,
            int firstTokens,
            int deltaTokens,
            int turns,
            int outputTokens,
            double gapSeconds,
            int overflowThreshold) {}

    /** A run of tokens; equal names are equal tokens. */
    public record Segment(String name, int tokens) {}

    /**
     * A decision and what it was taken on.
     *
     * @param decidedNanos when it was taken
     * @param arrivedNanos when the client sent the request, before any holding
     * @param scores of each replica; empty when the policy computed none
     * @param inFlight requests in flight on each replica before this one
     * @param kvUsage KV usage of each replica as last scraped, NaN before the first scrape
     * @param kvAgeSeconds age of that scrape, NaN before the first
     * @param home replica at which the session was at home before, or -1
     */
    public record Decision(
            long id,
            long decidedNanos,
            long arrivedNanos,
            String session,
            int turn,
            int replica,
            Kind kind,
            List<Double> scores,
            List<Integer> inFlight,
            List<Double> kvUsage,
            List<Double> kvAgeSeconds,
            int home,
            int promptTokens,
            List<Segment> prompt,
            int maxTokens) {
        public Decision {
            scores = List.copyOf(scores);
            inFlight = List.copyOf(inFlight);
            kvUsage = List.copyOf(kvUsage);
            kvAgeSeconds = List.copyOf(kvAgeSeconds);
            prompt = List.copyOf(prompt);
        }
    }

    /**
     * The end of a request; {@link Turn#UNKNOWN} for what the engine did not say.
     *
     * @param firstNanos when its first token came
     * @param endNanos when its last token came
     */
    public record Completion(
            long id,
            long firstNanos,
            long endNanos,
            int status,
            long promptTokens,
            long cachedTokens,
            long completionTokens) {}

    /** One scrape of one replica: metrics by name without {@code vllm:}, as the file has them. */
    public record Counters(long atNanos, int replica, Map<String, Double> values) {
        public Counters {
            values = Map.copyOf(values);
        }
    }

    /** Completion of a decision, if it has one. */
    public Optional<Completion> completion(Decision decision) {
        return Optional.ofNullable(completions.get(decision.id()));
    }

    /** Counters of one replica in order of time. */
    public List<Counters> counters(int replica) {
        return counters.stream().filter(c -> c.replica() == replica).toList();
    }

    /**
     * Reads a file of this format.
     *
     * @throws UserError if the file or a row of it is wrong
     */
    public static FleetRecording read(TraceFile file, OnError onError) {
        Parser parser = new Parser();
        long skipped = 0;
        try (TraceLines lines = new TraceLines(file)) {
            while (lines.next()) {
                try {
                    if (!lines.isBlank()) {
                        parser.row(JsonFields.of(lines.text()));
                    }
                } catch (RowException e) {
                    if (++skipped > onError.limit()) {
                        throw new UserError(lines.place() + ": " + e.getMessage() + "; " + OnError.REMEDY, e);
                    }
                }
            }
        }
        Config config = parser.config.orElseThrow(() -> new UserError(
                file.path() + ": no line with \"event\": \"config\"; it is not a recorded fleet, or cut"));
        return new FleetRecording(file, config, parser.decisions, parser.completions, parser.counters, skipped);
    }

    private static final class Parser {
        private Optional<Config> config = Optional.empty();
        private final List<Decision> decisions = new ArrayList<>();
        private final Set<Long> ids = new HashSet<>();
        private final Map<Long, Completion> completions = new HashMap<>();
        private final List<Counters> counters = new ArrayList<>();

        void row(JsonFields row) {
            String event = row.text("event");
            switch (event) {
                case "config" -> config = Optional.of(config(row));
                case "decision" -> {
                    Decision d = decision(row);
                    if (!ids.add(d.id())) {
                        throw new RowException("id", "decision " + d.id() + " appears twice");
                    }
                    decisions.add(d);
                }
                case "completed" -> {
                    Completion c = completion(row);
                    if (completions.putIfAbsent(c.id(), c) != null) {
                        throw new RowException("id", "completion of " + c.id() + " appears twice");
                    }
                }
                case "counters" -> counters.add(counters(row));
                case "scrape_failed" -> {
                    // a replica that did not answer has no counters then
                }
                default ->
                    throw new RowException(
                            "event",
                            "expected config, decision, completed, counters or scrape_failed, found '" + event + "'");
            }
        }

        private static Config config(JsonFields row) {
            return new Config(
                    row.text("policy"),
                    row.count("sessions", 0),
                    row.count("replicas", 1),
                    row.number("seconds"),
                    row.wholeOr("seed", 0),
                    (int) row.wholeOr("shared", 0),
                    (int) row.wholeOr("first", 0),
                    (int) row.wholeOr("delta", 0),
                    (int) row.wholeOr("turns", 0),
                    (int) row.wholeOr("output", 0),
                    row.numberOr("gap", 0),
                    (int) row.wholeOr("overflow_threshold", 0));
        }

        private static Decision decision(JsonFields row) {
            long decided = row.nanos("t");
            List<Segment> prompt = new ArrayList<>();
            long tokens = 0;
            for (JsonNode segment : row.list("prompt")) {
                if (segment.size() != 2
                        || !segment.get(0).isTextual()
                        || !segment.get(1).canConvertToInt()
                        || segment.get(1).asInt() < 1
                        || segment.get(1).asInt() > MAX_SEGMENT) {
                    throw JsonFields.wrong(
                            "prompt", "a list of [segment name, tokens from 1 to " + MAX_SEGMENT + "]", segment);
                }
                prompt.add(new Segment(segment.get(0).asText(), segment.get(1).asInt()));
                tokens += segment.get(1).asInt();
            }
            int promptTokens = row.count("prompt_tokens", 1);
            if (tokens != promptTokens) {
                throw new RowException(
                        "prompt",
                        "expected segments of " + promptTokens + " tokens as prompt_tokens says, found " + tokens);
            }
            return new Decision(
                    row.whole("id", 0),
                    decided,
                    row.nanosOr("arrived", decided),
                    row.text("session"),
                    row.count("turn", 1),
                    row.count("replica", 0),
                    kind(row.text("kind")),
                    list(row.numbers("scores")),
                    list(row.numbers("in_flight")).stream()
                            .map(Double::intValue)
                            .toList(),
                    list(row.numbers("kv")),
                    list(row.numbers("kv_age")),
                    (int) row.wholeOr("home", -1),
                    promptTokens,
                    prompt,
                    row.count("max_tokens", 1));
        }

        private static Completion completion(JsonFields row) {
            return new Completion(
                    row.whole("id", 0),
                    row.nanosOr("first", Turn.UNKNOWN),
                    row.nanos("t"),
                    row.count("status", 0),
                    row.wholeOr("prompt_tokens", Turn.UNKNOWN),
                    row.wholeOr("cached_tokens", Turn.UNKNOWN),
                    row.wholeOr("completion_tokens", Turn.UNKNOWN));
        }

        private static Counters counters(JsonFields row) {
            Map<String, Double> values = new TreeMap<>();
            for (String name : row.names()) {
                if (!name.equals("event") && !name.equals("t") && !name.equals("replica") && row.has(name)) {
                    values.put(name, row.number(name));
                }
            }
            return new Counters(row.nanos("t"), row.count("replica", 0), values);
        }

        private static Kind kind(String name) {
            try {
                return Kind.of(name);
            } catch (IllegalArgumentException e) {
                throw new RowException("kind", "there is no kind of decision '" + name + "'");
            }
        }

        private static List<Double> list(double[] values) {
            List<Double> out = new ArrayList<>(values.length);
            for (double v : values) {
                out.add(v);
            }
            return out;
        }
    }
}

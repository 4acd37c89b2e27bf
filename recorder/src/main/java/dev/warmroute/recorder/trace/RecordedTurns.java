package dev.warmroute.recorder.trace;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The requests of a recording as the simulator replays them: decision, completion and prompt of each joined, in the order of
 * the first decision about each. A request is held back until it has ended, so memory is bounded by what is in flight, and by
 * the distinct prompt blocks.
 *
 * <p>Prompts are what {@link PromptSpace} makes of the hashed blocks or, without them, of the lengths. The gap before a turn
 * is the time from the last byte of the conversation's turn before to its arrival. Times count from the first arrival. What
 * the engine did not say is estimated: prompt tokens from the router's own estimate, answers as 1 token. Requests that no
 * replica served (refused, failed) are left out and counted.
 */
public final class RecordedTurns implements Iterator<Turn>, AutoCloseable {
    /** How long a request that has ended waits for the event with its prompt, which is written off the request path. */
    private static final long PROMPT_GRACE_US = TimeUnit.SECONDS.toMicros(30);

    /** Assumed where no request of the recording says both. */
    private static final double TOKENS_PER_BYTE = 0.25;

    private static final int RATIO_SAMPLES = 10_000;

    private final String model;
    private final boolean promptsRecorded;
    private final EventCodec codec = new EventCodec();
    private final EventCursor events;
    private final PromptSpace space;
    private final Deque<Pending> order = new ArrayDeque<>();
    private final Map<String, Pending> pending = new HashMap<>();
    private final Map<String, Conversation> conversations = new HashMap<>();
    private Optional<Turn> ahead = Optional.empty();
    private long nowUs;
    private boolean ended;
    private long startUs = Long.MIN_VALUE;
    private int turns;
    private long skipped;

    /** A request on its way through the recording. */
    private static final class Pending {
        private final RoutingDecision first;
        private RoutingDecision last;
        private Optional<RequestCompleted> completed = Optional.empty();
        private Optional<PromptBlocks> prompt = Optional.empty();

        private Pending(RoutingDecision first) {
            this.first = first;
            this.last = first;
        }
    }

    private record Conversation(int turns, long lastByteUs) {}

    private RecordedTurns(Recording recording, String model) {
        this.model = model;
        this.promptsRecorded = !recording.manifest().segments(Topic.PROMPTS).isEmpty();
        this.space = new PromptSpace(promptsRecorded ? tokensPerByte(recording) : TOKENS_PER_BYTE);
        this.events = recording.merged(EnumSet.of(Topic.DECISIONS, Topic.REQUESTS, Topic.PROMPTS));
    }

    /**
     * Opens a recording of one model; the caller closes it.
     *
     * @throws UserError if the recording has several models
     */
    public static RecordedTurns open(Recording recording) {
        if (recording.manifest().facts().models().size() > 1) {
            throw new UserError(recording.directory() + " has requests of several models: "
                    + String.join(", ", recording.manifest().facts().models()) + "; say which one");
        }
        return open(
                recording,
                recording.manifest().facts().models().stream().findFirst().orElse(""));
    }

    /** Opens the requests of one model of a recording; the caller closes it. */
    public static RecordedTurns open(Recording recording, String model) {
        return new RecordedTurns(recording, model);
    }

    /** Whether prompts are known block by block; without that they are made of the lengths. */
    public boolean promptsRecorded() {
        return promptsRecorded;
    }

    /** Tokens a byte of prompt text, over the first requests that say both. */
    private static double tokensPerByte(Recording recording) {
        EventCodec codec = new EventCodec();
        Map<String, Long> bytes = new HashMap<>();
        Map<String, Long> tokens = new HashMap<>();
        double bytesSum = 0;
        double tokensSum = 0;
        int samples = 0;
        try (EventCursor events = recording.merged(EnumSet.of(Topic.REQUESTS, Topic.PROMPTS))) {
            while (events.hasNext() && samples < RATIO_SAMPLES && bytes.size() + tokens.size() < 10 * RATIO_SAMPLES) {
                Event event = events.next().readable(codec);
                String id;
                if (event instanceof PromptBlocks p && p.unit().equals("bytes")) {
                    id = p.requestId();
                    bytes.put(id, p.length());
                } else if (event instanceof RequestCompleted c
                        && c.promptTokens().isPresent()) {
                    id = c.requestId();
                    tokens.put(id, c.promptTokens().getAsLong());
                } else {
                    continue;
                }
                if (bytes.containsKey(id) && tokens.containsKey(id)) {
                    bytesSum += bytes.remove(id);
                    tokensSum += tokens.remove(id);
                    samples++;
                }
            }
        }
        return bytesSum > 0 && tokensSum > 0 ? tokensSum / bytesSum : TOKENS_PER_BYTE;
    }

    @Override
    public boolean hasNext() {
        while (ahead.isEmpty()) {
            if (!order.isEmpty() && ready(order.peekFirst())) {
                Pending request = order.pollFirst();
                pending.remove(request.first.requestId());
                ahead = turn(request);
            } else if (ended) {
                return false;
            } else if (events.hasNext()) {
                take(events.next());
            } else {
                ended = true;
            }
        }
        return true;
    }

    @Override
    public Turn next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Turn turn = ahead.orElseThrow();
        ahead = Optional.empty();
        return turn;
    }

    /** Requests returned so far. */
    public long rows() {
        return turns;
    }

    /** Requests left out so far, because no replica served them. */
    public long skipped() {
        return skipped;
    }

    /** Requests whose prompt was made up from lengths, because its blocks were not recorded. */
    public long approximatedPrompts() {
        return space.approximated();
    }

    @Override
    public void close() {
        events.close();
    }

    private void take(RecordedEvent recorded) {
        nowUs = Math.max(nowUs, recorded.timeUs());
        switch (recorded.readable(codec)) {
            case RoutingDecision d -> {
                if (d.model().equals(model)) {
                    Pending request = pending.get(d.requestId());
                    if (request == null) {
                        request = new Pending(d);
                        pending.put(d.requestId(), request);
                        order.addLast(request);
                    }
                    request.last = d;
                }
            }
            case RequestCompleted c -> {
                Pending request = pending.get(c.requestId());
                if (request != null) {
                    request.completed = Optional.of(c);
                }
            }
            case PromptBlocks p -> {
                Pending request = pending.get(p.requestId());
                if (request != null) {
                    request.prompt = Optional.of(p);
                }
            }
            default -> {
                // not about a request
            }
        }
    }

    private boolean ready(Pending request) {
        if (ended) {
            return true;
        }
        return request.completed.isPresent()
                && (!promptsRecorded
                        || request.prompt.isPresent()
                        || nowUs > request.completed.get().lastByteUs() + PROMPT_GRACE_US);
    }

    private Optional<Turn> turn(Pending request) {
        RoutingDecision d = request.last;
        Optional<RequestCompleted> end = request.completed;
        if (d.chosen().isEmpty() || end.isPresent() && end.get().status().orElse(200) >= 400) {
            skipped++;
            return Optional.empty();
        }
        long arrivalUs = request.first.arrivalUs();
        if (startUs == Long.MIN_VALUE) {
            startUs = arrivalUs;
        }
        String conversation = d.session().key();
        Conversation before = conversations.get(conversation);
        int index = turns++;
        int promptTokens = Math.clamp(promptTokens(request), 1, 1 << 24);
        int outputTokens =
                Math.clamp(end.flatMap(RecordedTurns::completionTokens).orElse(1L), 1, 1 << 24);
        long outputStart = Turn.freshOutput(index);
        Prompt prompt = space.prompt(
                conversation, d.requestId(), request.prompt, index, promptTokens, outputStart, outputTokens);
        if (!conversation.isEmpty()) {
            conversations.put(
                    conversation,
                    new Conversation(
                            before == null ? 1 : before.turns() + 1,
                            end.map(RequestCompleted::lastByteUs).orElse(arrivalUs)));
        }
        return Optional.of(new Turn(
                index,
                Math.max(0, nanos(arrivalUs - startUs)),
                d.session().hash().orElse(""),
                d.session().hash().isPresent() ? d.session().agent().orElse("") : "",
                conversation.isEmpty() ? 0 : before == null ? 1 : before.turns() + 1,
                conversation.isEmpty() || before == null
                        ? Turn.UNKNOWN
                        : Math.max(0, nanos(arrivalUs - before.lastByteUs())),
                prompt,
                outputTokens,
                outputStart,
                recorded(d, end, arrivalUs)));
    }

    private static long promptTokens(Pending request) {
        OptionalLong told =
                request.completed.map(RequestCompleted::promptTokens).orElse(OptionalLong.empty());
        if (told.isPresent()) {
            return told.getAsLong();
        }
        if (request.prompt.isPresent() && request.prompt.get().unit().equals("tokens")) {
            return request.prompt.get().length();
        }
        return request.first.prompt().tokens().orElse((long)
                (request.first.prompt().bytes() * TOKENS_PER_BYTE));
    }

    private static Optional<Long> completionTokens(RequestCompleted c) {
        return c.completionTokens().isPresent()
                ? Optional.of(c.completionTokens().getAsLong())
                : Optional.empty();
    }

    private static Turn.Recorded recorded(RoutingDecision d, Optional<RequestCompleted> end, long arrivalUs) {
        int replica = -1;
        for (int i = 0; i < d.candidates().size(); i++) {
            if (d.candidates().get(i).replica().equals(d.chosen().orElse(""))) {
                replica = i;
            }
        }
        if (end.isEmpty()) {
            return new Turn.Recorded(replica, Turn.UNKNOWN, Turn.UNKNOWN, Turn.UNKNOWN);
        }
        RequestCompleted c = end.get();
        return new Turn.Recorded(
                replica,
                c.cachedTokens().orElse(Turn.UNKNOWN),
                c.firstByteUs().isPresent()
                        ? Math.max(0, nanos(c.firstByteUs().getAsLong() - arrivalUs))
                        : Turn.UNKNOWN,
                Math.max(0, nanos(c.lastByteUs() - arrivalUs)));
    }

    private static long nanos(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }
}

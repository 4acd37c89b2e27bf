package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A trace several times, one copy after the other, as if so many times the conversations had come: each copy begins a second after
 * the last arrival of the one before it where conversations are on one clock, and has sessions, ids and content of its own, but for what all conversations of the trace
 * begin with. Streams: the trace is read once a copy.
 */
public final class RepeatedReader implements TraceReader {
    /** Tokens of a copy are this far from those of the one before, in each part of the token space. */
    private static final long STEP = 1L << 48;

    /** Size of a part of the token space: what importers hand out, what only one prompt has, what was generated. */
    private static final long PART = 1L << 60;

    /** So many copies fit into a part. */
    public static final int MOST_COPIES = (int) (PART / STEP);

    private static final long BETWEEN_NANOS = 1_000_000_000;

    private final TraceSource source;
    private final int copies;
    private int copy;
    private TraceReader reader;
    private int index;
    private long lastArrival;
    private long period;
    /** What the first turns of all conversations seen in the first copy begin with. */
    private Optional<Prompt> begins = Optional.empty();

    private int common;
    private boolean compared;
    private long firstArrival = Long.MAX_VALUE;

    /**
     * @param source the trace; its reader is opened again for each copy
     * @param copies from 1 to {@link #MOST_COPIES}
     */
    public RepeatedReader(TraceSource source, int copies) {
        if (copies < 1 || copies > MOST_COPIES) {
            throw new UserError("a trace can be repeated 1 to " + MOST_COPIES + " times, not " + copies);
        }
        this.source = source;
        this.copies = copies;
        this.reader = source.open();
    }

    @Override
    public boolean hasNext() {
        while (!reader.hasNext()) {
            if (copy + 1 == copies || index == 0) {
                return false;
            }
            if (copy == 0) {
                period = reader.description().commonClock() ? lastArrival - firstArrival + BETWEEN_NANOS : 0;
            }
            reader.close();
            reader = source.open();
            copy++;
        }
        return true;
    }

    @Override
    public Turn next() {
        Turn turn = reader.next();
        if (index == Integer.MAX_VALUE) {
            throw new UserError("a trace has at most " + Integer.MAX_VALUE + " requests: repeat it less often");
        }
        if (copy == 0) {
            look(turn);
        }
        Turn.Labels labels = turn.labels();
        return new Turn(
                index++,
                turn.arrivalNanos() + copy * period,
                named(turn.session()),
                turn.agent(),
                turn.turn(),
                turn.gapNanos(),
                own(turn),
                turn.outputTokens(),
                turn.outputStart() + copy * STEP,
                turn.recorded(),
                new Turn.Labels(
                        named(labels.request()),
                        named(labels.parent()),
                        labels.parentAgent(),
                        labels.model(),
                        labels.kind(),
                        labels.stop()));
    }

    private void look(Turn turn) {
        firstArrival = Math.min(firstArrival, turn.arrivalNanos());
        lastArrival = Math.max(lastArrival, turn.arrivalNanos());
        if (turn.turn() == 1 && turn.agent().isEmpty()) {
            if (begins.isEmpty()) {
                begins = Optional.of(turn.prompt());
            } else {
                int shared = turn.prompt().commonPrefix(begins.get());
                common = compared ? Math.min(common, shared) : shared;
                compared = true;
            }
        }
        Prompt prompt = turn.prompt();
        for (int i = 0; i < prompt.spans(); i++) {
            requireRoom(prompt.start(i) + prompt.length(i) - 1, turn);
        }
        requireRoom(turn.outputStart() + turn.outputTokens() - 1, turn);
    }

    private String named(String id) {
        return copy == 0 || id.isEmpty() ? id : id + '~' + copy;
    }

    /** The prompt with content of this copy's own behind what all conversations begin with. */
    private Prompt own(Turn turn) {
        Prompt prompt = turn.prompt();
        if (copy == 0) {
            return prompt;
        }
        int shared = begins.map(b -> Math.min(common, prompt.commonPrefix(b))).orElse(0);
        Prompt.Builder own = Prompt.builder().prefixOf(prompt, shared);
        int at = 0;
        for (int i = 0; i < prompt.spans(); i++) {
            int skip = Math.clamp(shared - at, 0, prompt.length(i));
            if (skip < prompt.length(i)) {
                own.span(prompt.start(i) + skip + copy * STEP, prompt.length(i) - skip);
            }
            at += prompt.length(i);
        }
        return own.build();
    }

    /** Refuses, before anything is copied, content that would run into a copy's. */
    private void requireRoom(long token, Turn turn) {
        if (copies > 1 && (token & (PART - 1)) >= STEP) {
            throw new UserError(source.argument() + ", request " + (turn.index() + 1)
                    + ": its content is numbered as that of copies is: if this trace has copies already, repeat the one they were"
                    + " made of");
        }
    }

    @Override
    public TraceDescription description() {
        TraceDescription one = reader.description();
        if (copies == 1) {
            return one;
        }
        List<String> notes = new ArrayList<>(one.notes());
        notes.add(copies + " copies of the trace, " + (one.commonClock() ? "one after the other" : "at the same time")
                + ", each with conversations and content of its own"
                + (common > 0 ? " behind the " + common + " tokens that all begin with" : ""));
        return new TraceDescription(
                one.name(),
                one.format(),
                one.blockSize(),
                one.hasSessions(),
                one.hasGaps(),
                one.hasTimes(),
                one.commonClock(),
                index,
                one.skipped() * copies,
                one.sha256(),
                one.prefixes(),
                notes);
    }

    @Override
    public double progress() {
        return (copy + reader.progress()) / copies;
    }

    @Override
    public void close() {
        reader.close();
    }
}

package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A trace several times, one copy after the other, as if so many times the conversations had come: each copy begins a second after
 * the last arrival of the one before it, and has sessions, ids and content of its own, but for what all conversations of the trace
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

    private int common = Integer.MAX_VALUE;

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
                period = reader.description().commonClock() ? lastArrival + BETWEEN_NANOS : 0;
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
                moved(turn.outputStart(), turn),
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
        lastArrival = Math.max(lastArrival, turn.arrivalNanos());
        if (turn.turn() == 1 && turn.agent().isEmpty()) {
            common = Math.min(
                    common,
                    begins.map(turn.prompt()::commonPrefix).orElse(turn.prompt().tokens()));
            begins = begins.or(() -> Optional.of(turn.prompt()));
        }
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
        int shared = begins.isEmpty() ? 0 : Math.min(common, prompt.commonPrefix(begins.get()));
        Prompt.Builder own = Prompt.builder().prefixOf(prompt, shared);
        int at = 0;
        for (int i = 0; i < prompt.spans(); i++) {
            int skip = Math.clamp(shared - at, 0, prompt.length(i));
            if (skip < prompt.length(i)) {
                own.span(moved(prompt.start(i) + skip, turn), prompt.length(i) - skip);
            }
            at += prompt.length(i);
        }
        return own.build();
    }

    private long moved(long token, Turn turn) {
        if (copies > 1 && (token & (PART - 1)) >= STEP) {
            throw new UserError(
                    source.argument() + ", request " + (turn.index() + 1)
                            + ": its content has numbers too large for copies to be told from it; import it first, and repeat the import");
        }
        return token + copy * STEP;
    }

    @Override
    public TraceDescription description() {
        TraceDescription one = reader.description();
        if (copies == 1) {
            return one;
        }
        List<String> notes = new ArrayList<>(one.notes());
        notes.add(copies + " copies of the trace, one after the other, each with conversations and content of its own"
                + (begins.isPresent() && common > 0 ? " behind the " + common + " tokens that all begin with" : ""));
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

package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The sessions of recordings as templates from which any number of sessions can be made: each keeps its turns, lengths, gaps
 * and edits, shares with others what the recorded ones share, and has the rest to itself.
 *
 * <p>Tokens that prompts of several sessions of one recording have in common are shared by all sessions made from it. Give
 * recordings with different shared prompts to pools of their own. Immutable.
 */
public final class SessionPool {
    /** A session's own tokens: so many for each. */
    private static final long OWN_SPACE = 1L << 32;
    /** Where they begin: above every number that an importer hands out for prompts. */
    private static final long OWN_START = 1L << 52;

    private final List<Template> templates;
    private final long[] gaps;

    private SessionPool(List<Template> templates) {
        this.templates = templates;
        this.gaps = templates.stream()
                .flatMap(t -> t.turns.stream())
                .mapToLong(Turn::gapNanos)
                .filter(g -> g != Turn.UNKNOWN)
                .toArray();
    }

    /**
     * Makes a pool.
     *
     * @param recordings turns of each recording
     * @param whole which sessions to take: those that the end of the recording did not cut short
     * @throws UserError if no session is left
     */
    public static SessionPool of(List<List<Turn>> recordings, Predicate<List<Turn>> whole) {
        List<Template> templates = new ArrayList<>();
        for (List<Turn> turns : recordings) {
            Map<String, List<Turn>> sessions = new LinkedHashMap<>();
            for (Turn t : turns) {
                if (t.hasSession()) {
                    sessions.computeIfAbsent(t.affinityKey(), k -> new ArrayList<>())
                            .add(t);
                }
            }
            Ranges shared = Ranges.sharedBy(sessions.values());
            sessions.values().stream().filter(whole).forEach(s -> templates.add(new Template(s, shared)));
        }
        if (templates.isEmpty()) {
            throw new UserError("the recordings have no whole session to make others from");
        }
        return new SessionPool(templates);
    }

    /** Number of sessions to draw from. */
    public int size() {
        return templates.size();
    }

    /** Recorded turns of a session. */
    public List<Turn> recorded(int template) {
        return templates.get(template).turns;
    }

    /** Most turns of a session. */
    int mostTurns() {
        return templates.stream().mapToInt(t -> t.turns.size()).max().orElseThrow();
    }

    /** Turns of a session. */
    int turns(int template) {
        return templates.get(template).turns.size();
    }

    /** Recorded gap before a turn, from 1; nanoseconds, 0 when nobody knows it. */
    long gapNanos(int template, int turn) {
        return Math.max(0, templates.get(template).turns.get(turn).gapNanos());
    }

    /** Gaps between turns, over all sessions; empty when none is known. */
    public long[] gaps() {
        return gaps;
    }

    /** A turn of a session made from a template. */
    Turn turn(int template, int turn, int session, int index, long at) {
        return templates.get(template).turn(turn, session, index, at);
    }

    private static final class Template {
        private final List<Turn> turns;
        private final Ranges own;
        private final long[] offsets; // of each own range within the session's own tokens

        Template(List<Turn> turns, Ranges shared) {
            this.turns = turns;
            this.own = Ranges.of(turns).without(shared);
            this.offsets = new long[own.size()];
            for (int i = 1; i < offsets.length; i++) {
                offsets[i] = offsets[i - 1] + own.to(i - 1) - own.from(i - 1);
            }
        }

        Turn turn(int number, int session, int index, long at) {
            Turn t = turns.get(number);
            long base = OWN_START + OWN_SPACE * session;
            Prompt.Builder prompt = Prompt.builder();
            for (int i = 0; i < t.prompt().spans(); i++) {
                place(prompt, t.prompt().start(i), t.prompt().length(i), base);
            }
            Prompt.Builder output = Prompt.builder();
            place(output, t.outputStart(), t.outputTokens(), base);
            return new Turn(
                    index,
                    at,
                    "s" + session,
                    "",
                    number + 1,
                    t.gapNanos(),
                    prompt.build(),
                    t.outputTokens(),
                    output.build().start(0),
                    Turn.Recorded.NOTHING);
        }

        /** Adds a recorded span, its own tokens moved to where the new session has its own. */
        private void place(Prompt.Builder to, long start, int length, long base) {
            long at = start;
            long end = start + length;
            while (at < end) {
                int range = own.rangeAt(at);
                if (range >= 0) {
                    long until = Math.min(end, own.to(range));
                    to.span(base + offsets[range] + at - own.from(range), (int) (until - at));
                    at = until;
                } else {
                    long until = Math.min(end, own.nextFrom(at));
                    to.span(at, (int) (until - at));
                    at = until;
                }
            }
        }
    }

    /** Disjoint ranges of token numbers, in order. */
    private static final class Ranges {
        private final long[] from;
        private final long[] to;

        private Ranges(long[] from, long[] to) {
            this.from = from;
            this.to = to;
        }

        int size() {
            return from.length;
        }

        long from(int i) {
            return from[i];
        }

        long to(int i) {
            return to[i];
        }

        /** Range that a number is in, or -1. */
        int rangeAt(long number) {
            int at = Arrays.binarySearch(from, number);
            int range = at >= 0 ? at : -at - 2;
            return range >= 0 && number < to[range] ? range : -1;
        }

        /** Start of the first range after a number. */
        long nextFrom(long number) {
            int at = Arrays.binarySearch(from, number);
            int next = at >= 0 ? at + 1 : -at - 1;
            return next < from.length ? from[next] : Long.MAX_VALUE;
        }

        /** What a session says and generates. */
        static Ranges of(List<Turn> session) {
            List<long[]> spans = new ArrayList<>();
            for (Turn t : session) {
                for (int i = 0; i < t.prompt().spans(); i++) {
                    spans.add(new long[] {
                        t.prompt().start(i), t.prompt().start(i) + t.prompt().length(i)
                    });
                }
                spans.add(new long[] {t.outputStart(), t.outputStart() + t.outputTokens()});
            }
            return covered(spans, 1);
        }

        /** What at least two sessions say. */
        static Ranges sharedBy(Iterable<List<Turn>> sessions) {
            List<long[]> spans = new ArrayList<>();
            for (List<Turn> session : sessions) {
                Ranges of = of(session);
                for (int i = 0; i < of.size(); i++) {
                    spans.add(new long[] {of.from(i), of.to(i)});
                }
            }
            return covered(spans, 2);
        }

        /** Numbers that at least so many spans cover. */
        private static Ranges covered(List<long[]> spans, int times) {
            List<long[]> ends = new ArrayList<>();
            for (long[] span : spans) {
                ends.add(new long[] {span[0], 1});
                ends.add(new long[] {span[1], -1});
            }
            ends.sort(Comparator.<long[]>comparingLong(e -> e[0]).thenComparingLong(e -> -e[1]));
            long[] from = new long[spans.size()];
            long[] to = new long[spans.size()];
            int n = 0;
            int depth = 0;
            for (long[] end : ends) {
                int before = depth;
                depth += (int) end[1];
                if (before < times && depth >= times) {
                    if (n > 0 && to[n - 1] == end[0]) {
                        n--;
                    } else {
                        from[n] = end[0];
                    }
                } else if (before >= times && depth < times) {
                    to[n++] = end[0];
                }
            }
            return new Ranges(Arrays.copyOf(from, n), Arrays.copyOf(to, n));
        }

        Ranges without(Ranges other) {
            long[] outFrom = new long[from.length + other.size()];
            long[] outTo = new long[outFrom.length];
            int n = 0;
            for (int i = 0; i < from.length; i++) {
                long at = from[i];
                while (at < to[i]) {
                    int hidden = other.rangeAt(at);
                    if (hidden >= 0) {
                        at = other.to(hidden);
                    } else {
                        long until = Math.min(to[i], other.nextFrom(at));
                        outFrom[n] = at;
                        outTo[n++] = until;
                        at = until;
                    }
                }
            }
            return new Ranges(Arrays.copyOf(outFrom, n), Arrays.copyOf(outTo, n));
        }
    }
}

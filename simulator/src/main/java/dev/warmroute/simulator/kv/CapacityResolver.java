package dev.warmroute.simulator.kv;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Chooses among what is known of a replica's capacity: reported by the engine, then given, then derived. */
public final class CapacityResolver {
    /** Sources further apart than this are worth a note. */
    private static final double TOLERANCE = 0.05;

    private CapacityResolver() {}

    /**
     * What was chosen.
     *
     * @param capacity the capacity of the best source
     * @param notes one sentence for each other source that disagrees with it by more than 5 %
     */
    public record Resolved(KvCapacity capacity, List<String> notes) {
        public Resolved {
            notes = List.copyOf(notes);
        }
    }

    /** Returns the best of these, or empty if there are none; the order in which they come does not matter. */
    public static Optional<Resolved> resolve(List<KvCapacity> known) {
        return known.stream()
                .min((a, b) -> a.source().compareTo(b.source()))
                .map(best -> new Resolved(best, disagreements(best, known)));
    }

    private static List<String> disagreements(KvCapacity best, List<KvCapacity> known) {
        List<String> notes = new ArrayList<>();
        for (KvCapacity other : known) {
            double ratio = other.usableTokens() / (double) best.usableTokens();
            if (other.source() != best.source() && Math.abs(ratio - 1) > TOLERANCE) {
                notes.add(String.format(
                        Locale.ROOT,
                        "the %s capacity is %d tokens, the %s one %d (%+.0f %%); the %s one is used",
                        best.source().wireName(),
                        best.usableTokens(),
                        other.source().wireName(),
                        other.usableTokens(),
                        100 * (ratio - 1),
                        best.source().wireName()));
            }
        }
        return notes;
    }
}

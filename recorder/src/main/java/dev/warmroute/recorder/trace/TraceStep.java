package dev.warmroute.recorder.trace;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Something that was done to other traces to make this one, with what it means for the accounts of {@code trace verify}.
 *
 * @param action {@code cut}, {@code join} or {@code anonymise}
 * @param detail with what arguments
 * @param sources SHA-256 of the manifests of the traces it was made from
 * @param leftOut what was left out on purpose
 * @param numbersLeftOut numbers of routers' sequences that were left out between others that are here, where they can be named:
 *     they are not missing. Empty when whole conversations were left out
 * @param notDerived policies whose decisions can no longer be derived, because they place by hashes that were replaced
 * @param accounting in words, how each account is treated at the edges of what was left out
 */
public record TraceStep(
        String action,
        String detail,
        List<String> sources,
        LeftOut leftOut,
        List<WriterSequences> numbersLeftOut,
        List<String> notDerived,
        List<String> accounting) {
    public TraceStep {
        Objects.requireNonNull(leftOut, "leftOut");
        sources = List.copyOf(sources);
        numbersLeftOut = List.copyOf(numbersLeftOut);
        notDerived = List.copyOf(notDerived);
        accounting = List.copyOf(accounting);
    }

    /** What was left out on purpose; each includes the ones before it. */
    public enum LeftOut {
        NOTHING,
        /** What was before or after a time: accounts are open at the edges and exact in between. */
        EDGES,
        /** Events of other conversations, all along: sums over a replica are bounds. */
        OTHERS;

        @JsonValue
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The one that includes both. */
        public LeftOut and(LeftOut other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }
}

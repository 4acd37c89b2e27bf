package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceStep;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What may be asked of a trace.
 *
 * @param others whether events of other conversations were left out all along: what is summed over a replica is a bound, and
 *     a gap in a sequence says nothing
 * @param lossy whether events were lost or are missing besides: with {@code others} nobody can tell where
 * @param notDerived policies whose decisions cannot be derived
 */
record Scope(boolean others, boolean lossy, Set<String> notDerived) {
    static Scope of(TraceManifest manifest) {
        return new Scope(
                manifest.leftOut() == LeftOut.OTHERS,
                !manifest.lost().isEmpty()
                        || !manifest.missing().isEmpty()
                        || !manifest.expired().isEmpty(),
                manifest.history().stream()
                        .map(TraceStep::notDerived)
                        .flatMap(List::stream)
                        .collect(Collectors.toSet()));
    }

    /** Whether an account that needs every event cannot be kept. */
    boolean unaccountable() {
        return others && lossy;
    }
}

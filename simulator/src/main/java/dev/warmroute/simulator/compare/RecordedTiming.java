package dev.warmroute.simulator.compare;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.timing.Calibration;
import dev.warmroute.simulator.timing.ServedRequest;
import dev.warmroute.simulator.timing.TimingProfile;
import java.util.List;
import java.util.Optional;

/** Step times learnt from a recording itself: see {@link Calibration} for what can be known from it and what cannot. */
public final class RecordedTiming {
    /** Requests that are learnt from, at most: the first ones. */
    private static final int MOST = 20_000;

    private RecordedTiming() {}

    /**
     * Learns from the requests that say when their first and last token came and what was cached.
     *
     * @param name of the profile
     * @param maxNumBatchedTokens token budget of a step of the recorded engines
     * @return empty when there are too few of them
     */
    public static Optional<TimingProfile> of(String name, List<Turn> turns, int maxNumBatchedTokens) {
        List<ServedRequest> served = turns.stream()
                .flatMap(t -> ServedRequest.of(0, t).stream())
                .limit(MOST)
                .toList();
        try {
            return Optional.of(Calibration.fit(name, served, List.of(name), maxNumBatchedTokens));
        } catch (UserError tooFew) {
            return Optional.empty();
        }
    }
}

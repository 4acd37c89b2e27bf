package dev.warmroute.router.state;

import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.state.Flights.Flight;
import java.util.concurrent.TimeUnit;

/**
 * What a model's traffic has taught about the room that conversations take in a cache, and about the price of giving it to them or
 * not; over the last turns, in seconds and tokens.
 *
 * <pre>
 * common        S = median of what first turns found cached, those aside that found nothing
 * private       w = mean tokens of a conversation at the end of a turn, less S
 * lost prefix   p = w / (the most computed prompt tokens per second to the first byte, of turns that computed w/2 or more): what is slower
 *                    than the fastest waited in a queue, and a queue is no reason to hold
 * answer        d = lower quartile of the time from the first byte to the last: little of it is other requests' prefill
 * idle place    z = mean gap between a conversation's turns + (part of the turns that are first ones) * release time
 * release time  r = a quantile of the gaps, within bounds
 * </pre>
 */
final class WorkingSets {
    private static final int TURNS = 256;
    private static final int FEW = 64;
    private static final int ENOUGH = 8;
    private static final int FEWEST_TURNS = 2;
    private static final int ENOUGH_GAPS = 32;
    private static final double NANOS = 1e9;

    private final Recent contexts = new Recent(TURNS);
    private final Recent firsts = new Recent(TURNS);
    private final Recent found = new Recent(FEW);
    private final Recent rates = new Recent(FEW);
    private final Recent answers = new Recent(FEW);
    private final Recent gaps = new Recent(TURNS);
    private final Recent ends = new Recent(FEW);

    /**
     * A turn has ended.
     *
     * @param first whether it was its conversation's first
     */
    void ended(boolean first, Completion completion, Flight flight, long now) {
        ends.add(now / NANOS);
        if (flight.answering() && completion.outputTokens() > 1) {
            answers.add((now - flight.firstByteAt()) / NANOS);
        }
        if (completion.contextTokens() < 0) {
            return;
        }
        contexts.add(completion.contextTokens());
        firsts.add(first ? 1 : 0);
        if (first && completion.cachedTokens() > 0) {
            found.add(completion.cachedTokens());
        }
        long computed = completion.promptTokens() - Math.max(0, completion.cachedTokens());
        boolean known = first || completion.cachedTokens() >= 0;
        if (known && flight.answering() && flight.firstByteAt() > flight.at() && computed >= privateTokens() / 2) {
            rates.add(computed * NANOS / (flight.firstByteAt() - flight.at()));
        }
    }

    /** A conversation speaks again after so long. */
    void spokeAfter(long nanos) {
        gaps.add(nanos / NANOS);
    }

    /** S; 0 while nothing shows that anything is common. */
    double commonTokens() {
        return found.size() == 0 ? 0 : found.quantile(0.5);
    }

    /** w; NaN before the first turns have ended. */
    double privateTokens() {
        return contexts.size() < FEWEST_TURNS ? Double.NaN : Math.max(1, contexts.mean() - commonTokens());
    }

    /** p, in seconds; NaN before enough prompts were computed. */
    double lostPrefixSeconds() {
        return rates.size() < ENOUGH ? Double.NaN : privateTokens() / rates.quantile(1);
    }

    /** d; NaN before enough answers have ended. */
    double answerSeconds() {
        return answers.size() < ENOUGH ? Double.NaN : answers.quantile(0.25);
    }

    /** z; NaN before enough turns followed one another. */
    double idlePlaceSeconds(Needs.Places rule) {
        return gaps.size() < ENOUGH ? Double.NaN : gaps.mean() + firsts.mean() * releaseNanos(rule) / NANOS;
    }

    /** Turns that end in a second; NaN before enough have. */
    double turnsPerSecond() {
        double span = ends.size() < ENOUGH ? 0 : ends.quantile(1) - ends.quantile(0);
        return span > 0 ? (ends.size() - 1) / span : Double.NaN;
    }

    /** After so long without a turn a conversation's place may go to another. */
    long releaseNanos(Needs.Places rule) {
        double seconds = rule.releaseSeconds();
        if (gaps.size() >= ENOUGH_GAPS && rule.gapQuantile() > 0) {
            seconds = Math.clamp(gaps.quantile(rule.gapQuantile()), seconds / 10, seconds * 10);
        }
        return Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    }
}

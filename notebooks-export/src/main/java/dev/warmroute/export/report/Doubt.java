package dev.warmroute.export.report;

import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.SelfReplay;
import java.util.Objects;

/**
 * What stands above every figure because it puts all of them into question.
 *
 * @param headline a few words
 * @param words what is wrong, and what to check, in a sentence or two
 */
public record Doubt(String headline, String words) {
    public Doubt {
        Objects.requireNonNull(headline, "headline");
        Objects.requireNonNull(words, "words");
    }

    /**
     * Of a recording that did not come out as it was when it was replayed.
     *
     * @param check what to check, in words; may be empty
     */
    static Doubt of(SelfReplay replay, String check) {
        return new Doubt(
                "Not faithful",
                "Replayed as it was recorded, this trace has " + Unit.CHANGE.text(replay.cachedOffPct())
                        + " of cached tokens against what the engines counted; "
                        + Unit.PERCENT.text(replay.tolerancePct()) + " are tolerated. Everything below may be as wrong."
                        + replay.cacheAlone()
                                .map(c -> blame(c, replay.tolerancePct()))
                                .orElse("")
                        + (check.isEmpty() ? "" : " Check " + check + "."));
    }

    private static String blame(SelfReplay.CacheAlone cache, double tolerancePct) {
        return Math.abs(cache.offPct()) <= tolerancePct
                ? " With placements and times as recorded the caches come out right: what is off is the step times'."
                : " With placements and times as recorded the caches themselves are off by "
                        + Unit.CHANGE.text(cache.offPct()) + ".";
    }
}

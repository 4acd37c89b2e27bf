package dev.warmroute.router.warm;

import java.util.Optional;

/**
 * How it stands with the warm prompts of a replica.
 *
 * @param reason why the warm-up under way was begun; empty when there is none
 * @param done prompts of the warm-up under way that have been answered or skipped
 * @param entries warm prompts that the cache has been given since it was known to be empty
 * @param prompts how many the warm-up under way has, or the last one had
 * @param last the last warm-up that ended
 */
public record WarmState(Phase phase, String reason, int done, int entries, int prompts, Optional<WarmUpResult> last) {
    /** A replica's way from cold to warm. */
    public enum Phase {
        /** Nothing was warmed, or everything was skipped. */
        COLD,
        WARMING,
        /** Some of the prompts were skipped. */
        PARTLY_WARM,
        WARM
    }

    static final WarmState COLD = new WarmState(Phase.COLD, "", 0, 0, 0, Optional.empty());

    WarmState warming(String why, int of) {
        return new WarmState(Phase.WARMING, why, 0, 0, of, last);
    }

    WarmState oneMore(WarmedPrompt prompt) {
        return new WarmState(phase, reason, done + 1, entries + (prompt.completed() ? 1 : 0), prompts, last);
    }

    WarmState ended(WarmUpResult result) {
        Phase now = result.skipped() == 0 ? Phase.WARM : result.completed() == 0 ? Phase.COLD : Phase.PARTLY_WARM;
        return new WarmState(now, "", 0, result.completed(), result.prompts().size(), Optional.of(result));
    }

    /** The warm-up under way is no more, although it did not come to its end; nothing changes when it did. */
    WarmState brokenOff() {
        return phase == Phase.WARMING
                ? new WarmState(entries == 0 ? Phase.COLD : Phase.PARTLY_WARM, "", 0, entries, prompts, last)
                : this;
    }
}

package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.timing.StepTimeLaw;
import dev.warmroute.simulator.timing.TimingPreset;

/**
 * Step times of a model on a card it does not run on: the roofline of that card, times what the present machine takes over its
 * own roofline, so that a card is compared with a card and not a law with another law.
 */
final class OtherCard {
    private static final int PREFILL_TOKENS = 2_048;
    private static final int SEQUENCES = 8;

    private OtherCard() {}

    static Check times(Situation now, ServedModel other) {
        Check how = now.how();
        long context = Math.round(now.demand().contextMeanTokens());
        ServedModel present = now.served().orElseThrow();
        double over = nanos(how.timing().law(), context)
                / nanos(
                        TimingPreset.roofline(present.model(), present.gpu(), present.settings())
                                .law(),
                        context);
        TimingPreset roofline = TimingPreset.roofline(other.model(), other.gpu(), other.settings());
        return how.withTiming(new TimingPreset(
                roofline.name(),
                roofline.description(),
                roofline.source(),
                roofline.gpu(),
                roofline.law().times(over),
                how.timing().frontend()));
    }

    /** A step that reads prompts and one that generates, for contexts of a length. */
    private static double nanos(StepTimeLaw law, long context) {
        return (double) law.stepNanos(PREFILL_TOKENS, StepTimeLaw.chunkAttention(PREFILL_TOKENS, context), 0, 0)
                + law.stepNanos(0, 0, SEQUENCES, SEQUENCES * context);
    }
}

package dev.warmroute.simulator.compare;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What is compared between policies: the fields of a {@link PolicyRow} that have intervals, and which way is better. */
public enum Figure {
    HIT_PCT(Better.HIGHER),
    OUTPUT_TOKENS_PER_MIN(Better.HIGHER),
    TTFT_P50_S(Better.LOWER),
    TTFT_P95_S(Better.LOWER),
    SESSION_P50_S(Better.LOWER),
    SESSION_P95_S(Better.LOWER),
    SESSION_FAIRNESS(Better.HIGHER),
    REPLICAS_BUSY(Better.NEITHER),
    STAYED_PCT(Better.NEITHER),
    PREEMPTIONS(Better.NEITHER);

    /** Which way is better. */
    public enum Better {
        HIGHER,
        LOWER,
        NEITHER
    }

    private final Better better;

    Figure(Better better) {
        this.better = better;
    }

    public Better better() {
        return better;
    }

    /** Field name in results. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Those of which one policy's can be better than another's. */
    static List<Figure> ranked() {
        return Stream.of(values()).filter(f -> f.better != Better.NEITHER).toList();
    }
}

package dev.warmroute.simulator.compare;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What is compared between policies: the fields of a {@link PolicyRow} that have intervals, and which way is better. */
public enum Figure {
    HIT_PCT(Better.HIGHER, 100),
    OUTPUT_TOKENS_PER_MIN(Better.HIGHER),
    TTFT_P50_S(Better.LOWER),
    TTFT_P95_S(Better.LOWER),
    SESSION_P50_S(Better.LOWER),
    SESSION_P95_S(Better.LOWER),
    SESSION_FAIRNESS(Better.HIGHER, 1),
    REPLICAS_BUSY(Better.NEITHER),
    STAYED_PCT(Better.NEITHER, 100),
    PREEMPTIONS(Better.NEITHER);

    /** Which way is better. */
    public enum Better {
        HIGHER,
        LOWER,
        NEITHER
    }

    private final Better better;
    private final double most;

    Figure(Better better) {
        this(better, Double.POSITIVE_INFINITY);
    }

    Figure(Better better, double most) {
        this.better = better;
        this.most = most;
    }

    /** The values of an interval that the figure can have: none is negative, a share is no more than the whole. */
    Interval possible(Interval interval) {
        return interval.within(0, most);
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

package dev.warmroute.simulator.capacity;

import java.util.Objects;

/**
 * How many sessions one resource would serve if it were the only one.
 *
 * @param limit the resource
 * @param sessions sessions at which it is used up
 * @param because the arithmetic, in one sentence
 */
public record LimitBound(Limit limit, int sessions, String because) {
    public LimitBound {
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(because, "because");
    }
}

package dev.warmroute.simulator.compare;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** Two ends of an interval, written as {@code [low, high]}. Both belong to it. */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
@JsonPropertyOrder({"low", "high"})
public record Interval(double low, double high) {
    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("an interval from " + low + " to " + high);
        }
    }

    /** The part of it that lies between two values, of which it has at least one point. */
    Interval within(double least, double most) {
        return new Interval(Math.clamp(low, least, most), Math.clamp(high, least, most));
    }
}

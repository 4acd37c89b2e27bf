package dev.warmroute.export.report;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.warmroute.simulator.capacity.Verdict;
import java.util.Locale;

/** What a report says in the largest letters. */
public enum Level {
    FITS("Fits"),
    EDGE("At the edge"),
    DOES_NOT_FIT("Does not fit"),
    /** Nothing was judged: policies were compared. */
    COMPARED("Compared");

    private final String words;

    Level(String words) {
        this.words = words;
    }

    public static Level of(Verdict verdict) {
        return switch (verdict) {
            case FITS -> FITS;
            case EDGE -> EDGE;
            case DOES_NOT_FIT -> DOES_NOT_FIT;
        };
    }

    /** As people say it. */
    public String words() {
        return words;
    }

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}

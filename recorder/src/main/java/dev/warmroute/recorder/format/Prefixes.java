package dev.warmroute.recorder.format;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a trace knows which prompts begin alike, from the most exact to nothing. */
public enum Prefixes {
    /** Runs of tokens that mean the same in every request. */
    TOKENS("runs of tokens, the same in every request"),
    /** Block ids that mean the same in every request. */
    BLOCKS("block ids, the same in every request"),
    /** Block ids that mean the same within a session. */
    SESSION_BLOCKS("block ids within a session"),
    /** The source says how many tokens of its conversation a prompt repeats. */
    LENGTHS("lengths of what a prompt repeats of its conversation"),
    /**
     * Taken from the lengths: a prompt that is long enough to hold the one before it in its conversation and the answer is
     * taken to repeat both.
     */
    ASSUMED("assumed from lengths: a prompt long enough repeats its conversation"),
    /** Nothing: every prompt is taken to be unlike all others. */
    NONE("not known: no prompt is taken to share anything");

    private final String meaning;

    Prefixes(String meaning) {
        this.meaning = meaning;
    }

    /** One line for people. */
    public String meaning() {
        return meaning;
    }

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether ids of blocks stand in the source. */
    boolean haveIds() {
        return this == BLOCKS || this == SESSION_BLOCKS;
    }
}

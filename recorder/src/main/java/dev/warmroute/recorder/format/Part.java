package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.function.Predicate;

/** Something that a trace may say about a request besides the length of its prompt, and that a format carries or does not. */
public enum Part {
    TIMES("arrival times", t -> t.arrivalNanos() > 0),
    SESSIONS("sessions", Turn::hasSession),
    AGENTS("sub-agents", t -> !t.agent().isEmpty()),
    GAPS("times between turns", t -> t.gapNanos() != Turn.UNKNOWN),
    /** Which prompts begin alike, as far as {@link Prefixes} tells. */
    PREFIXES("shared prefixes", t -> false),
    ANSWERS("lengths of answers", t -> t.outputTokens() > 1),
    CACHED("measured cached tokens", t -> t.recorded().cachedTokens() != Turn.UNKNOWN),
    TTFT("measured times to the first token", t -> t.recorded().ttftNanos() != Turn.UNKNOWN),
    DURATIONS("measured durations", t -> t.recorded().durationNanos() != Turn.UNKNOWN),
    REPLICAS("replicas", t -> t.recorded().replica() >= 0),
    REQUEST_IDS(
            "request ids",
            t -> !t.labels().request().isEmpty() || !t.labels().parent().isEmpty()),
    MODELS("models", t -> !t.labels().model().isEmpty()),
    KINDS("request types", t -> !t.labels().kind().isEmpty()),
    STOPS("finish reasons", t -> !t.labels().stop().isEmpty()),
    PARENT_AGENTS("parents of sub-agents", t -> !t.labels().parentAgent().isEmpty());

    private final String words;
    private final Predicate<Turn> present;

    Part(String words, Predicate<Turn> present) {
        this.words = words;
        this.present = present;
    }

    /** For people, in the plural. */
    public String words() {
        return words;
    }

    /** Whether a request says it; prefixes are a trace's, not a request's. */
    boolean in(Turn turn) {
        return present.test(turn);
    }
}

package dev.warmroute.export.report;

import java.util.List;
import java.util.Objects;

/**
 * The answer before the evidence.
 *
 * @param headline a few words
 * @param answer why, in one sentence
 * @param recommendation what to do, in one line
 * @param confidence how far to trust it, in one sentence; may be empty
 * @param facts the figures that matter most
 */
public record VerdictBox(
        Level level, String headline, String answer, String recommendation, String confidence, List<Fact> facts) {
    public VerdictBox {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(headline, "headline");
        Objects.requireNonNull(answer, "answer");
        Objects.requireNonNull(recommendation, "recommendation");
        Objects.requireNonNull(confidence, "confidence");
        facts = List.copyOf(facts);
    }
}

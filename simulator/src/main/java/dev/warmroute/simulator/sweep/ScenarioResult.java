package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.warmroute.router.event.EventCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/**
 * What a scenario gave.
 *
 * @param id of its {@link SweepTask}
 * @param reason why it is not what was asked for, in one sentence; empty when it is
 * @param figures empty when nothing could be served
 */
public record ScenarioResult(String id, String reason, Optional<ScenarioFigures> figures) {
    private static final String FAULT = "internal error: ";

    public ScenarioResult {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(figures, "figures");
        if (figures.isEmpty() && reason.isEmpty()) {
            throw new IllegalArgumentException("a result without figures needs a reason");
        }
    }

    static ScenarioResult wrong(String id, String reason) {
        return new ScenarioResult(id, reason, Optional.empty());
    }

    /** The result of a scenario in which warmroute itself failed. Another run may not: no later sweep takes it over. */
    static ScenarioResult fault(String id, RuntimeException e) {
        return wrong(id, FAULT + e);
    }

    boolean isFault() {
        return reason.startsWith(FAULT);
    }

    /** One line of JSON; equal results give the same bytes. */
    byte[] json() {
        try {
            return EventCodec.mapper().writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result could not be written as JSON", e);
        }
    }

    /** @throws UncheckedIOException if the bytes are no result */
    static ScenarioResult parse(byte[] json) {
        try {
            return EventCodec.mapper().readValue(json, ScenarioResult.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * All that a result depends on.
 *
 * @param program version and build of warmroute; another may find other figures
 */
public record SweepTask(String program, SweepSubject subject, Scenario scenario) {
    /** Hexadecimal digits of an id: 128 bits. */
    private static final int ID_DIGITS = 32;

    public SweepTask {
        Objects.requireNonNull(program, "program");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(scenario, "scenario");
    }

    /** The same for equal tasks, and for no others. */
    @JsonIgnore
    public String id() {
        return sha256(json()).substring(0, ID_DIGITS);
    }

    /** The task as JSON; equal tasks give the same bytes. */
    byte[] json() {
        try {
            return EventCodec.mapper().writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a task could not be written as JSON", e);
        }
    }

    /** @throws UserError if the bytes are no task that this version knows */
    static SweepTask parse(byte[] json) {
        try {
            return EventCodec.mapper().readValue(json, SweepTask.class);
        } catch (IOException e) {
            throw new UserError(
                    "not a sweep's task: " + e.getMessage().lines().findFirst().orElse(""), e);
        }
    }

    static String sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }
}

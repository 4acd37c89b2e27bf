package dev.warmroute.simulator.timing;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Step times learnt from recordings, with what speaks for them: a JSON file that {@code calibrate} writes and
 * {@code --timing FILE} reads.
 *
 * @param name what was calibrated
 * @param learntFrom the recordings
 * @param law coefficients of an {@link AffineLaw}
 * @param frontendRequestMs delay in front of the engine, milliseconds a request
 * @param frontendThousandTokensMs and milliseconds per thousand prompt tokens
 * @param sharedHostSlowdown see {@link SharedHost}
 * @param pace for each recording, how many times longer everything took there than the law says
 * @param terms each coefficient with its standard error (-1: held at 0) and whether the recordings tell it
 * @param decode residuals of the times between first and last token, in percent of the measured
 * @param firstToken residuals of the times to the first token of requests that were alone
 */
public record TimingProfile(
        String name,
        List<String> learntFrom,
        Law law,
        double frontendRequestMs,
        double frontendThousandTokensMs,
        double sharedHostSlowdown,
        Map<String, Double> pace,
        List<Term> terms,
        Fit decode,
        Fit firstToken) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    public TimingProfile {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(law, "law");
        learntFrom = List.copyOf(learntFrom);
        pace = Collections.unmodifiableMap(new TreeMap<>(pace));
        terms = List.copyOf(terms);
        Objects.requireNonNull(decode, "decode");
        Objects.requireNonNull(firstToken, "first_token");
    }

    /** Coefficients of an {@link AffineLaw}; all at least 0. */
    public record Law(
            double baseMs, double prefillTokenMs, double attentionPairNs, double contextTokenNs, double sequenceMs) {
        AffineLaw affine() {
            return AffineLaw.ofSeconds(
                    baseMs / 1e3, prefillTokenMs / 1e3, attentionPairNs / 1e9, contextTokenNs / 1e9, sequenceMs / 1e3);
        }
    }

    /** A coefficient as it was learnt. */
    public record Term(String name, double value, double standardError, boolean identified) {}

    /**
     * Relative residuals, predicted over measured less 1, in percent.
     *
     * @param times measured times
     */
    public record Fit(
            int times,
            double meanPct,
            double meanAbsolutePct,
            double medianAbsolutePct,
            @JsonProperty("p95_absolute_pct") double p95AbsolutePct) {
        static final Fit NOTHING = new Fit(0, 0, 0, 0, 0);
    }

    /** The times as a preset, at the law's own pace. */
    public TimingPreset preset() {
        return preset(1);
    }

    /** The times of a machine at another pace: everything takes so many times longer. */
    public TimingPreset preset(double paceFactor) {
        return new TimingPreset(
                name,
                "learnt from " + String.join(", ", learntFrom),
                String.format(
                        Locale.ROOT,
                        "least squares over %d times between tokens (off by %.1f %% in the median) and %d times to the first (%.1f %%)",
                        decode.times(),
                        decode.medianAbsolutePct(),
                        firstToken.times(),
                        firstToken.medianAbsolutePct()),
                Optional.empty(),
                law.affine().times(paceFactor),
                FrontendDelay.ofMillis(frontendRequestMs * paceFactor, frontendThousandTokensMs * paceFactor),
                new SharedHost(sharedHostSlowdown));
    }

    /** Writes the profile. */
    public void write(Path file) {
        try {
            WholeFile.write(file, (JSON.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /**
     * Reads a profile.
     *
     * @throws UserError if the file is none; the message says which key is wrong
     */
    public static TimingProfile read(Path file) {
        try {
            return JSON.readValue(Files.readString(file), TimingProfile.class);
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + file, e);
        } catch (JsonMappingException e) {
            String key = e.getPath().stream()
                    .map(r -> r.getFieldName() == null ? "[" + r.getIndex() + "]" : r.getFieldName())
                    .collect(Collectors.joining("."));
            String problem = e.getOriginalMessage().startsWith("Missing creator property")
                    ? "is missing"
                    : e.getOriginalMessage().lines().findFirst().orElse("");
            throw new UserError(
                    file + " is not a timing profile as calibrate writes it: "
                            + (key.isEmpty() ? "" : "key '" + key + "': ") + problem,
                    e);
        } catch (JsonProcessingException e) {
            throw new UserError(
                    file + " is not JSON: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }
}

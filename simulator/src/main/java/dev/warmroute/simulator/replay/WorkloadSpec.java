package dev.warmroute.simulator.replay;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.kv.KvCapacity;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A described workload: agent sessions in closed loops, and the machine that serves them. Read from YAML; the built-in ones
 * are resources beside this class.
 *
 * @param name name in tables
 * @param fleet the machine
 * @param timing its step-time law
 * @param networkMs round trip between client and router, in milliseconds
 * @param scrapeS time between two readings of the counters, in seconds
 * @param sessions sessions at the same time; a session that ends is replaced by a new one
 * @param turns turns of a session
 * @param systemTokens system prompt that all sessions share
 * @param firstTokens first user message
 * @param turnTokens what each later turn adds beside the last answer: user message, tool results
 * @param outputTokens answer
 * @param gap time between an answer's last byte and the next turn
 * @param betweenSessionsS mean time between a session's end and the start of its successor, in seconds, exponential
 */
public record WorkloadSpec(
        String name,
        Machine fleet,
        Timing timing,
        double networkMs,
        double scrapeS,
        int sessions,
        int turns,
        int systemTokens,
        Range firstTokens,
        Range turnTokens,
        Range outputTokens,
        Gap gap,
        @JsonProperty("between_sessions_s") double betweenSessionsS) {

    /** Names of the built-in workloads. */
    public static final List<String> BUILT_IN = List.of("lm-warden", "seven-cards", "l4-cliff");

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    public WorkloadSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(fleet, "fleet");
        Objects.requireNonNull(timing, "timing");
        Objects.requireNonNull(firstTokens, "first_tokens");
        Objects.requireNonNull(turnTokens, "turn_tokens");
        Objects.requireNonNull(outputTokens, "output_tokens");
        Objects.requireNonNull(gap, "gap");
        require(sessions >= 1, "sessions must be at least 1, not " + sessions);
        require(turns >= 1 && turns <= 10_000, "turns must be 1 to 10,000, not " + turns);
        require(systemTokens >= 0, "system_tokens must not be negative: " + systemTokens);
        require(firstTokens.low() >= 1, "first_tokens must be at least 1: " + firstTokens);
        require(outputTokens.low() >= 1, "output_tokens must be at least 1: " + outputTokens);
        require(networkMs >= 0, "network_ms must not be negative: " + networkMs);
        require(scrapeS > 0, "scrape_s must be above 0: " + scrapeS);
        require(betweenSessionsS >= 0, "between_sessions_s must not be negative: " + betweenSessionsS);
    }

    /** @param capacityTokens KV cache of one replica */
    public record Machine(int replicas, int blockSize, long capacityTokens, int maxNumSeqs, int maxNumBatchedTokens) {}

    /** Coefficients of an {@link AffineLaw}. */
    public record Timing(
            double baseMs, double prefillTokenMs, double attentionPairNs, double contextTokenNs, double sequenceMs) {
        public AffineLaw law() {
            return AffineLaw.ofSeconds(
                    baseMs / 1e3, prefillTokenMs / 1e3, attentionPairNs / 1e9, contextTokenNs / 1e9, sequenceMs / 1e3);
        }
    }

    /** Whole numbers from low to high, each as likely. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"low", "high"})
    public record Range(int low, int high) {
        public Range {
            require(
                    0 <= low && low <= high,
                    "a range of tokens must be [low, high] with 0 <= low <= high, not [" + low + ", " + high + "]");
        }

        public double mean() {
            return (low + (double) high) / 2;
        }
    }

    /** A fixed time and an exponential one with a mean, in seconds. */
    public record Gap(
            @JsonProperty("fixed_s") double fixedS,
            @JsonProperty("exponential_s") double exponentialS) {
        public Gap {
            require(
                    fixedS >= 0 && exponentialS >= 0,
                    "gap times must not be negative: " + fixedS + ", " + exponentialS);
        }
    }

    /**
     * Returns a workload by the name of a built-in one, or reads it from a file.
     *
     * @param nameOrPath what stands behind {@code workload:}
     */
    public static WorkloadSpec named(String nameOrPath) {
        if (BUILT_IN.contains(nameOrPath)) {
            try (InputStream in = WorkloadSpec.class.getResourceAsStream(nameOrPath + ".yaml")) {
                return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), "workload:" + nameOrPath);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        Path path = Path.of(nameOrPath);
        try {
            return parse(Files.readString(path), nameOrPath);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "there is no workload '" + nameOrPath + "': neither a file nor one of "
                            + String.join(", ", BUILT_IN),
                    e);
        } catch (IOException e) {
            throw FileErrors.reading(nameOrPath, e);
        }
    }

    /** Reads a description; {@code source} names it in messages. */
    static WorkloadSpec parse(String yaml, String source) {
        try {
            return YAML.readValue(yaml, WorkloadSpec.class);
        } catch (UnrecognizedPropertyException e) {
            throw new UserError(
                    source + ": unknown key '" + path(e) + "'; known here: "
                            + e.getKnownPropertyIds().stream()
                                    .map(Object::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", ")),
                    e);
        } catch (JsonMappingException e) {
            if (e.getOriginalMessage().startsWith("Missing creator property")) {
                throw new UserError(source + ": the key '" + path(e) + "' is missing", e);
            }
            String reason = e.getCause() instanceof UserError u ? u.getMessage() : e.getOriginalMessage();
            throw new UserError(
                    source
                            + (path(e).isEmpty() ? ": " : ": " + path(e) + ": ")
                            + reason.lines().findFirst().orElse(""),
                    e);
        } catch (JsonProcessingException e) {
            throw new UserError(
                    source + " is not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    private static String path(JsonMappingException e) {
        return e.getPath().stream()
                .map(r -> r.getFieldName() == null ? "[" + r.getIndex() + "]" : r.getFieldName())
                .collect(Collectors.joining("."));
    }

    public WorkloadSpec withSessions(int number) {
        return new WorkloadSpec(
                name,
                fleet,
                timing,
                networkMs,
                scrapeS,
                number,
                turns,
                systemTokens,
                firstTokens,
                turnTokens,
                outputTokens,
                gap,
                betweenSessionsS);
    }

    /** The described fleet. */
    public FleetSpec fleetSpec() {
        EngineConfig engine = EngineConfig.defaults()
                .withBlockSize(fleet.blockSize())
                .withUsableBlocks(KvCapacity.blocks(fleet.capacityTokens(), fleet.blockSize()))
                .withMaxNumSeqs(fleet.maxNumSeqs())
                .withMaxNumBatchedTokens(fleet.maxNumBatchedTokens());
        return new FleetSpec(
                fleet.replicas(),
                engine,
                timing.law(),
                FrontendDelay.NONE,
                SharedHost.NONE,
                Math.round(networkMs * 1e6),
                Math.round(scrapeS * 1e9));
    }

    private static void require(boolean ok, String message) {
        if (!ok) {
            throw new UserError(message);
        }
    }
}

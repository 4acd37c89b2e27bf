package dev.warmroute.recorder.ingest;

import dev.warmroute.recorder.trace.Retention;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is recorded, and where to.
 *
 * @param bootstrap Kafka's {@code bootstrap.servers}
 * @param properties further Kafka client properties, for example for TLS
 * @param prefix prefix of the topics
 * @param topics topics to record
 * @param directory trace directory; one that is there already goes on where its manifest ends
 * @param group consumer group in which several recorders, each with a directory of its own, share the partitions; empty for
 *     one recorder that takes them all
 * @param limits when a segment is full
 * @param rollEvery when a segment that is not full is finished
 * @param keep what stays in the trace as it grows; looked at whenever segments are finished by time
 * @param fromMillis timestamp of the first records to take, milliseconds since the epoch; empty for everything there is. Only
 *     asked of partitions of which the trace has nothing yet
 * @param until when to end
 * @param version version of warmroute, for the manifest
 */
public record RecorderOptions(
        String bootstrap,
        Map<String, String> properties,
        String prefix,
        Set<Topic> topics,
        Path directory,
        Optional<String> group,
        Limits limits,
        Duration rollEvery,
        Retention keep,
        OptionalLong fromMillis,
        Until until,
        String version) {

    public static final Duration DEFAULT_ROLL = Duration.ofMinutes(5);

    public RecorderOptions {
        Objects.requireNonNull(bootstrap, "bootstrap");
        properties = Map.copyOf(properties);
        topics = Set.copyOf(topics);
        if (topics.isEmpty()) {
            throw new UserError("there is no topic to record");
        }
        if (rollEvery.isNegative() || rollEvery.isZero()) {
            throw new UserError("a segment must be finished after a positive time, not " + rollEvery);
        }
    }

    /** Everything under a prefix, into a directory, until stopped. */
    public static RecorderOptions of(String bootstrap, String prefix, Path directory, String version) {
        return new RecorderOptions(
                bootstrap,
                Map.of(),
                prefix,
                EnumSet.allOf(Topic.class),
                directory,
                Optional.empty(),
                Limits.DEFAULT,
                DEFAULT_ROLL,
                Retention.EVERYTHING,
                OptionalLong.empty(),
                Until.STOPPED,
                version);
    }

    public RecorderOptions withUntil(Until until) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                group,
                limits,
                rollEvery,
                keep,
                fromMillis,
                until,
                version);
    }

    public RecorderOptions withFrom(long epochMillis) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                group,
                limits,
                rollEvery,
                keep,
                OptionalLong.of(epochMillis),
                until,
                version);
    }

    public RecorderOptions withProperties(Map<String, String> properties) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                group,
                limits,
                rollEvery,
                keep,
                fromMillis,
                until,
                version);
    }

    public RecorderOptions withDirectory(Path directory) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                group,
                limits,
                rollEvery,
                keep,
                fromMillis,
                until,
                version);
    }

    public RecorderOptions withGroup(String group) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                Optional.of(group),
                limits,
                rollEvery,
                keep,
                fromMillis,
                until,
                version);
    }

    public RecorderOptions withRolling(Limits limits, Duration rollEvery) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                group,
                limits,
                rollEvery,
                keep,
                fromMillis,
                until,
                version);
    }

    public RecorderOptions withRetention(Retention keep) {
        return new RecorderOptions(
                bootstrap,
                properties,
                prefix,
                topics,
                directory,
                group,
                limits,
                rollEvery,
                keep,
                fromMillis,
                until,
                version);
    }
}

package dev.warmroute.export.report;

import dev.warmroute.export.chart.Source;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.TraceSummary;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the figures of a report come from.
 *
 * @param trace what was analysed or replayed; empty for a report from a description
 * @param offsets Kafka offsets or segments that the trace covers, in words; empty where it has none
 * @param fleet the simulated fleet, where there is one
 * @param capacitySource {@code reported} by the engine, {@code derived}, {@code given} or {@code unlimited}; empty without one
 * @param machine model, cards and engine version, in words; empty when nobody said
 * @param intervals what intervals are, in words; empty when there are none
 * @param command command that makes this report again; empty when there is none
 * @param version version of warmroute
 */
public record Provenance(
        Optional<TraceSummary> trace,
        String offsets,
        Optional<FleetSummary> fleet,
        String capacitySource,
        String machine,
        String intervals,
        String command,
        String version) {
    private static final int HASH_DIGITS = 12;

    public Provenance {
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(offsets, "offsets");
        Objects.requireNonNull(fleet, "fleet");
        Objects.requireNonNull(capacitySource, "capacitySource");
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(intervals, "intervals");
        Objects.requireNonNull(command, "command");
        Objects.requireNonNull(version, "version");
    }

    /** What stands under a figure of this report. */
    public Source source() {
        return source(intervals);
    }

    /** What stands under a figure whose intervals are these; of their description, what is before a semicolon. */
    Source source(String intervalsInWords) {
        int semicolon = intervalsInWords.indexOf(';');
        return new Source(name(), semicolon < 0 ? intervalsInWords : intervalsInWords.substring(0, semicolon));
    }

    /** What stands under a figure that has no intervals. */
    public Source sourceWithoutIntervals() {
        return new Source(name(), "");
    }

    /** A capacity's source as people say it. */
    static String capacityWords(String source) {
        return switch (source) {
            case "reported" -> "reported by the engine";
            case "derived" -> "derived from model, card and settings";
            case "given" -> "as given";
            case "unlimited" -> "without limit";
            default -> source;
        };
    }

    /** Cache of one simulated replica, in tokens; empty without a fleet or without limit. */
    OptionalLong cacheTokens() {
        return fleet.filter(f -> f.usableBlocks().isPresent())
                .map(f -> OptionalLong.of((long) f.usableBlocks().getAsInt() * f.blockSize()))
                .orElse(OptionalLong.empty());
    }

    private String name() {
        if (trace.isEmpty()) {
            return "a description, no trace";
        }
        StringBuilder name = new StringBuilder(trace.get().source());
        String hash = trace.get().hash();
        if (!hash.isEmpty()) {
            name.append(", ").append(hash, 0, Math.min(HASH_DIGITS, hash.length()));
        }
        if (!offsets.isEmpty()) {
            name.append(", ").append(offsets);
        }
        return name.toString();
    }
}

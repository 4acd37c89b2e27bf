package dev.warmroute.export.table;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.sweep.ScenarioFigures;
import dev.warmroute.simulator.sweep.SweepRow;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** The table of a sweep: {@code scenarios.parquet} and {@code scenarios.csv}, one row a scenario. */
public final class ScenarioTable {
    public static final TableSchema<SweepRow> SCHEMA = schema();

    private static final List<String> FILES = List.of(SCHEMA.name() + ".parquet", SCHEMA.name() + ".csv");

    private ScenarioTable() {}

    private static TableSchema<SweepRow> schema() {
        TableSchema.Builder<SweepRow> table = TableSchema.named("scenarios", "one scenario of a sweep", SweepRow.class)
                .whole("scenario", "its number in the grid, from 0 on", SweepRow::number)
                .text(
                        "id",
                        "hash of all that its figures depend on",
                        r -> r.result().id())
                .text(
                        "policy",
                        "routing policy with its parameters",
                        r -> r.scenario().policy().label())
                .maybeWhole(
                        "sessions",
                        "sessions at a time, where the grid says",
                        r -> whole(r.scenario().sessions()))
                .text(
                        "capacity",
                        "cache of a replica as the grid says it: blocks, tokens, unlimited, or own for the machine's",
                        r -> r.scenario().cache().toString())
                .maybeWhole(
                        "usable_blocks",
                        "the same where it is a number of blocks",
                        r -> r.scenario().cache().blocks())
                .maybeWhole(
                        "replicas",
                        "number of replicas, where the grid says",
                        r -> whole(r.scenario().replicas()))
                .whole("seed", "seed", r -> r.scenario().seed())
                .text("engine", "name of the engine", r -> r.scenario().engine().name())
                .text("vllm", "its version", r -> r.scenario().engine().vllm())
                .flag(
                        "ok",
                        "whether it went as asked for",
                        r -> r.result().reason().isEmpty())
                .maybeText(
                        "reason",
                        "why it did not",
                        r -> Optional.of(r.result().reason()).filter(s -> !s.isEmpty()))
                .maybeWhole("requests", "requests that were sent", count(f -> OptionalLong.of(f.requests())))
                .maybeWhole(
                        "refused", "those longer than a replica can serve", count(f -> OptionalLong.of(f.refused())))
                .maybeWhole("prompt_tokens", "prompt tokens admitted", count(f -> OptionalLong.of(f.promptTokens())))
                .maybeWhole("cached_tokens", "those found in the prefix cache", count(ScenarioFigures::cachedTokens))
                .maybeNumber("hit_pct", "their share, percent", figure(ScenarioFigures::hitPct))
                .maybeNumber(
                        "output_tokens_per_min",
                        "generated tokens a minute",
                        figure(ScenarioFigures::outputTokensPerMin))
                .maybeNumber("ttft_p50_s", "median time to the first byte, seconds", figure(ScenarioFigures::ttftP50S))
                .maybeNumber("ttft_p95_s", "its 95th percentile, seconds", figure(ScenarioFigures::ttftP95S))
                .maybeNumber("session_p50_s", "median time of a session, seconds", figure(ScenarioFigures::sessionP50S))
                .maybeNumber("session_p95_s", "its 95th percentile, seconds", figure(ScenarioFigures::sessionP95S))
                .maybeWhole(
                        "unfinished_sessions",
                        "sessions that had not ended",
                        count(ScenarioFigures::unfinishedSessions))
                .maybeNumber(
                        "replicas_busy", "mean number of replicas that had work", figure(ScenarioFigures::replicasBusy))
                .maybeNumber(
                        "stayed_pct",
                        "turns on the replica of the turn before, percent",
                        figure(ScenarioFigures::stayedPct))
                .maybeWhole(
                        "preemptions", "requests pushed out to be computed again", count(ScenarioFigures::preemptions));
        for (MissCause cause : MissCause.values()) {
            table = table.maybeWhole(
                    "missed_" + cause.wireName(),
                    "prompt tokens missed for this cause",
                    count(f -> OptionalLong.of(f.misses().getOrDefault(cause.wireName(), 0L))));
        }
        return table.build();
    }

    private static OptionalLong whole(OptionalInt value) {
        return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
    }

    private static Function<SweepRow, OptionalLong> count(Function<ScenarioFigures, OptionalLong> figure) {
        return row -> row.result().figures().map(figure).orElse(OptionalLong.empty());
    }

    private static Function<SweepRow, OptionalDouble> figure(Function<ScenarioFigures, OptionalDouble> figure) {
        return row -> row.result().figures().map(figure).orElse(OptionalDouble.empty());
    }

    /**
     * Writes the table into a directory: each file whole, or not at all.
     *
     * @return the Parquet file
     * @throws UserError when the directory cannot be written
     */
    public static Path write(Iterable<SweepRow> rows, Path directory) {
        Path unfinished = directory.resolve(SCHEMA.name() + ".tmp");
        new TableWriter().write(SCHEMA, rows, unfinished);
        try {
            for (String file : FILES) {
                try (FileChannel written = FileChannel.open(unfinished.resolve(file), StandardOpenOption.WRITE)) {
                    written.force(true);
                }
                Files.move(unfinished.resolve(file), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
            }
            clear(unfinished);
            return directory.resolve(FILES.getFirst());
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    /** Removes a table that a grid which has grown since left, and what a crash left of one. */
    public static void remove(Path directory) {
        try {
            for (String file : FILES) {
                Files.deleteIfExists(directory.resolve(file));
            }
            clear(directory.resolve(SCHEMA.name() + ".tmp"));
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    private static void clear(Path unfinished) throws IOException {
        try (var files = Files.list(unfinished)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        Files.delete(unfinished);
    }

    private static UserError unwritable(Path directory, IOException e) {
        return new UserError("the table could not be written to " + directory + ": " + FileErrors.reason(e), e);
    }
}

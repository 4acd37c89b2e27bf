package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is imported, exported and imported again is the same, to the last field; and so is what went through a directory. */
class RoundTripTest {
    private static final int SEEDS = 6;

    @TempDir
    static Path random;

    @TempDir
    Path dir;

    @BeforeAll
    static void randomTraces() {
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomTurns.write(seed, random.resolve("trace" + seed));
        }
    }

    static List<String> samples() {
        return Samples.ALL;
    }

    static Stream<TraceFormat> writtenFormats() {
        return Arrays.stream(TraceFormat.values()).filter(TraceFormat::isWritten);
    }

    @Test
    void everyWrittenFormatHasASample() {
        Set<TraceFormat> sampled = Samples.ALL.stream().map(Samples::format).collect(Collectors.toSet());
        assertThat(sampled).containsAll(writtenFormats().toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void importExportImportIsTheSame(String sample) {
        TraceFormat format = Samples.format(sample);
        assumeThat(format.isWritten()).isTrue();
        Trace first = TraceSource.read(Samples.argument(sample));
        Trace second = again(Samples.argument(sample), format);
        assertThat(second.turns()).isEqualTo(first.turns());
        assertThat(facts(second)).isEqualTo(facts(first));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aTraceDirectoryKeepsEverything(String sample) {
        Trace first = TraceSource.read(Samples.argument(sample));
        Path trace = dir.resolve("trace");
        try (TraceReader reader = TraceSource.open(Samples.argument(sample))) {
            TraceImport.run(reader, trace, "test", share -> {});
        }
        Trace second = TraceSource.read(trace.toString());
        assertThat(second.turns()).isEqualTo(first.turns());
        assertThat(facts(second)).isEqualTo(facts(first));
        assertThat(second.description().notes()).isEqualTo(first.description().notes());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theDirectoryExportsAsTheFileDoes(String sample) throws IOException {
        TraceFormat format = Samples.format(sample);
        assumeThat(format.isWritten()).isTrue();
        Path trace = dir.resolve("trace");
        try (TraceReader reader = TraceSource.open(Samples.argument(sample))) {
            TraceImport.run(reader, trace, "test", share -> {});
        }
        Path fromFile = export(Samples.argument(sample), format, dir.resolve("file"));
        Path fromTrace = export(trace.toString(), format, dir.resolve("directory"));
        assertThat(Files.readString(fromTrace)).isEqualTo(Files.readString(fromFile));
    }

    /** A trace that has a bit of everything loses what the format cannot carry, and nothing more by going through it again. */
    @ParameterizedTest
    @MethodSource("writtenFormats")
    void whatAFormatCarriesIsTheSameAfterAnotherRound(TraceFormat format) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Path trace = random.resolve("trace" + seed);
            Trace first = TraceSource.read(
                    format.formatName() + ':' + export(trace.toString(), format, dir.resolve("first")));
            Trace second = again(first.description().name(), format);
            assertThat(second.turns()).as("seed %d", seed).isEqualTo(first.turns());
            assertThat(first.turns()).as("seed %d", seed).hasSize(RandomTurns.REQUESTS);
            if (format.carries().contains(Part.ANSWERS)) {
                assertThat(tokens(first)).isEqualTo(tokens(TraceSource.read(trace.toString())));
            }
        }
    }

    @Test
    void blocksOfAnotherSizeAreSaidAndRead() {
        String source = Samples.argument("mooncake:mooncake.jsonl");
        Trace first = TraceSource.read(source);
        Path file = dir.resolve("m16.jsonl");
        try (TraceReader reader = TraceSource.open(source)) {
            TraceExport.run(reader, new FormatChoice(TraceFormat.MOONCAKE, OptionalInt.of(16)), file, share -> {});
        }
        assertThat(TraceSource.read("mooncake/16:" + file).turns()).isEqualTo(first.turns());
        assertThatThrownBy(() -> TraceSource.read("mooncake:" + file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "line 1: field 'hash_ids': expected 3 ids for input_length 1100 in blocks of 512, found 69; blocks of"
                                + " 16 would fit: say FORMAT/16:FILE");
        assertThatThrownBy(() -> TraceSource.read("azure/16:" + file))
                .hasMessageContaining("azure has no block size to choose");
        assertThatThrownBy(() -> TraceSource.read("mooncake/x:" + file))
                .hasMessageContaining("must be a number, as in mooncake/16");
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.jsonl.gz", "out.jsonl.zst"})
    void filesAreCompressedByTheirNames(String name) throws IOException {
        String source = Samples.argument("mooncake:mooncake.jsonl");
        Path file = export(source, TraceFormat.MOONCAKE, dir.resolve(name));
        assertThat(Files.readAllBytes(file)[0]).isNotEqualTo((byte) '{');
        assertThat(TraceSource.read("mooncake:" + file).turns())
                .isEqualTo(TraceSource.read(source).turns());
    }

    @Test
    void whatAFormatCannotCarryIsSaid() {
        assertThat(exported("claude-code:claude-code.jsonl", "mooncake").notes())
                .containsExactly(
                        "mooncake does not carry sub-agents (2 requests), measured times to the first token (1 requests), measured durations"
                                + " (4 requests), models (6 requests), request types (6 requests), finish reasons (5 requests)",
                        "the times of each session count from its own start, not from that of the trace",
                        "prompts are cut into blocks of 512 tokens: what two of them share is rounded down to whole blocks");
        assertThat(exported("mooncake:mooncake.jsonl", "azure").notes())
                .containsExactly(
                        "azure does not carry sessions (3 requests), times between turns (1 requests)",
                        "azure does not carry which prompts begin alike");
        assertThat(exported("azure:azure-2023.csv", "bailian").notes())
                .containsExactly("nothing is known of what prompts share: every block has an id of its own");
        assertThat(exported("mooncake:mooncake.jsonl", "mooncake").notes()).isEmpty();
        assertThatThrownBy(() -> exported("azure:azure-2023.csv", "claude-code"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no session");
        assertThatThrownBy(() -> exported("azure:azure-2023.csv", "fleet"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("fleet is only read: it records what replicas did");
    }

    @Test
    void anExportThatFailsLeavesNoFile() throws IOException {
        Path bad = dir.resolve("bad.jsonl");
        Files.writeString(bad, Files.readString(Samples.file("mooncake.jsonl")) + "nonsense\n");
        Path file = dir.resolve("out.jsonl");
        assertThatThrownBy(() -> export("mooncake:" + bad, TraceFormat.MOONCAKE, file))
                .hasMessageContaining("line 5: not JSON");
        assertThat(file).doesNotExist();
        assertThat(dir.resolve("out.jsonl.tmp")).doesNotExist();
    }

    @Test
    void anImportThatFailsLeavesNoTrace() throws IOException {
        Path bad = dir.resolve("bad.jsonl");
        Files.writeString(bad, Files.readString(Samples.file("mooncake.jsonl")) + "nonsense\n");
        Path trace = dir.resolve("trace");
        assertThatThrownBy(() -> {
                    try (TraceReader reader = TraceSource.open("mooncake:" + bad)) {
                        TraceImport.run(reader, trace, "test", share -> {});
                    }
                })
                .hasMessageContaining("line 5: not JSON");
        assertThatThrownBy(() -> TraceSource.read(trace.toString())).hasMessageContaining("not a trace directory");
        try (TraceReader reader = new TraceSource("mooncake:" + bad, OnError.SKIP).open()) {
            TraceImport.run(reader, trace, "test", share -> {});
        }
        assertThat(TraceSource.read(trace.toString()).description().skipped()).isEqualTo(1);
        assertThatThrownBy(() -> {
                    try (TraceReader reader = TraceSource.open("mooncake:" + bad)) {
                        TraceImport.run(reader, trace, "test", share -> {});
                    }
                })
                .hasMessageContaining("is a trace already; import into another directory");
    }

    private TraceExport.Exported exported(String sample, String to) {
        return exportedFrom(Samples.argument(sample), to);
    }

    private TraceExport.Exported exportedFrom(String argument, String to) {
        try (TraceReader reader = TraceSource.open(argument)) {
            return TraceExport.run(reader, FormatChoice.parse(to), dir.resolve("exported"), share -> {});
        }
    }

    private Trace again(String argument, TraceFormat format) {
        Path file = export(argument, format, dir.resolve("again"));
        return TraceSource.read(format.formatName() + ':' + file);
    }

    private static Path export(String argument, TraceFormat format, Path file) {
        try (TraceReader reader = TraceSource.open(argument)) {
            TraceExport.run(reader, new FormatChoice(format, OptionalInt.empty()), file, share -> {});
        }
        return file;
    }

    private static long tokens(Trace trace) {
        return trace.turns().stream().mapToLong(t -> t.prompt().tokens()).sum();
    }

    private static List<Object> facts(Trace trace) {
        TraceDescription d = trace.description();
        return List.of(
                d.format(),
                d.blockSize(),
                d.hasSessions(),
                d.hasGaps(),
                d.hasTimes(),
                d.commonClock(),
                d.rows(),
                d.prefixes());
    }

    /** A turn that may have no duration, and another half a second after its end. */
    private String twoTurns(String duration) throws IOException {
        Path file = dir.resolve("two.jsonl");
        String row = "{\"session\":\"s\",\"t\":%s,\"in\":70,\"out\":3,\"blocks\":[[0,1]]%s}\n";
        Files.writeString(
                file, row.formatted("0", duration) + row.formatted("2.5", ",\"think_time\":0.5,\"api_time\":1"));
        return "claude-code:" + file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"dynamo", "burstgpt", "tracelab", "request-log"})
    void timesBetweenTurnsThatHangOnAnUnknownDurationAreSaidToBeLost(String to) throws IOException {
        String note =
                "the times before 1 turns are lost: this format tells when a turn ended by its measured duration, and the turns"
                        + " before these have none";
        TraceFormat format = TraceFormat.named(to);
        assertThat(exportedFrom(twoTurns(""), to).notes()).contains(note);
        Trace read = TraceSource.read(to + ":" + dir.resolve("exported"));
        assertThat(read.turns())
                .extracting(t -> t.recorded().durationNanos())
                .containsExactly(Turn.UNKNOWN, 1_000_000_000L);
        assertThat(read.turns()).extracting(Turn::gapNanos).containsExactly(Turn.UNKNOWN, Turn.UNKNOWN);
        assertThat(again(to + ":" + dir.resolve("exported"), format).turns()).isEqualTo(read.turns());

        assertThat(exportedFrom(twoTurns(",\"api_time\":2"), to).notes()).doesNotContain(note);
        assertThat(TraceSource.read(to + ":" + dir.resolve("exported")).turns())
                .extracting(Turn::gapNanos)
                .containsExactly(Turn.UNKNOWN, 500_000_000L);
    }

    @Test
    void dynamoIsWrittenNoEndOfARequestThatHasNone() throws IOException {
        exportedFrom(twoTurns(""), "dynamo");
        List<String> rows = Files.readAllLines(dir.resolve("exported"));
        assertThat(rows.get(0))
                .contains("\"request_received_ms\":0")
                .doesNotContain("total_time_ms")
                .doesNotContain("event_time_unix_ms");
        assertThat(rows.get(1)).contains("\"total_time_ms\":1000").contains("\"event_time_unix_ms\":3500");
    }
}

package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Topic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a what-if takes from a recording of four real engines with 299 usable blocks of 32 tokens, and what it leaves. */
class WhatIfOfARecordingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final EventCodec CODEC = new EventCodec();
    private static final Path RECORDING = Path.of(System.getProperty("warmroute.root"), "data", "real-vllm-fleet");

    @TempDir
    private Path directory;

    private record Ran(int code, String out, String err) {}

    private static Ran whatIf(Path trace, String... options) {
        List<String> args = new ArrayList<>(List.of("whatif", trace.toString(), "--policy", "warden", "--seeds", "1"));
        args.addAll(List.of(options));
        return run(args.toArray(String[]::new));
    }

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), args)
                .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }

    private static JsonNode json(Path trace, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--json");
        Ran ran = whatIf(trace, all.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return JSON.readTree(ran.out());
    }

    /** The recording with other counters. */
    private Path with(UnaryOperator<CountersDelta> other) {
        Path copy = directory.resolve("copy");
        try (TraceWriter writer = TraceWriter.open(copy, "test", "", "", TraceWriter.Limits.DEFAULT);
                EventCursor events = Recording.open(RECORDING).merged()) {
            while (events.hasNext()) {
                RecordedEvent e = events.next();
                writer.append(
                        e.topic() == Topic.COUNTERS && e.event(CODEC) instanceof CountersDelta c
                                ? e.withData(CODEC.encode(other.apply(c)))
                                : e);
            }
        }
        return copy;
    }

    private static CountersDelta withBlocks(CountersDelta c, OptionalInt blocks) {
        return new CountersDelta(
                c.replica(),
                c.engine(),
                c.scrapedUs(),
                c.intervalMs(),
                c.epoch(),
                c.reset(),
                c.deltas(),
                c.totals(),
                c.gauges(),
                c.absent(),
                c.blockSize(),
                blocks,
                c.engineVersion(),
                c.router());
    }

    @Test
    void enginesOfDifferentSizesCountAsTheSmallest() throws Exception {
        String smallest =
                Recording.open(RECORDING).events(Topic.COUNTERS).next().key();
        Path differing = with(c -> c.replica().equals(smallest) ? withBlocks(c, OptionalInt.of(201)) : c);
        JsonNode fleet = json(differing).path("fleet");
        assertThat(fleet.path("capacity_source").asText()).isEqualTo("reported");
        assertThat(fleet.path("usable_blocks").asInt()).isEqualTo(200);
        assertThat(fleet.path("block_size").asInt()).isEqualTo(32);
        assertThat(fleet.path("replicas").asInt()).isEqualTo(4);
        JsonNode given = json(differing, "--usable-blocks", "250").path("fleet");
        assertThat(given.path("usable_blocks").asInt()).isEqualTo(250);
        assertThat(given.path("block_size").asInt()).isEqualTo(32);
    }

    @Test
    void theUsersThatMadeItAreReplayedUnlessItsOwnStartsAreAskedFor() throws Exception {
        JsonNode users = json(RECORDING, "--timing", "h100-8b");
        assertThat(users.path("fleet").path("arrivals").asText()).isEqualTo("users");
        assertThat(users.path("fleet").path("users").asInt()).isEqualTo(16);
        assertThat(users.path("notes").toString()).contains("made by 16 users", "--recorded-starts");
        assertThat(json(RECORDING, "--timing", "h100-8b", "--sessions", "3")
                        .path("fleet")
                        .path("users")
                        .asInt())
                .isEqualTo(3);
        JsonNode recorded = json(RECORDING, "--timing", "h100-8b", "--recorded-starts");
        assertThat(recorded.path("fleet").path("arrivals").asText()).isEqualTo("recorded");
        assertThat(recorded.path("fleet").path("users").isNull()).isTrue();
        assertThat(recorded.path("policies").path(0).path("requests").asInt())
                .isEqualTo(recorded.path("trace").path("requests").asInt());
        assertThat(whatIf(RECORDING, "--recorded-starts", "--sessions", "3").err())
                .contains("--recorded-starts starts each session at its recorded time: leave out --sessions");
    }

    @Test
    void onlyWhereNothingWasReportedIsTheCacheWithoutLimit() throws Exception {
        Path silent = with(c -> withBlocks(c, OptionalInt.empty()));
        JsonNode fleet = json(silent).path("fleet");
        assertThat(fleet.path("capacity_source").asText()).isEqualTo("unlimited");
        assertThat(fleet.path("replicas").asInt()).isEqualTo(4);
        assertThat(whatIf(silent, "--tolerance", "0").out())
                .contains(
                        "Check --usable-blocks, --block-size, --max-num-seqs, --max-num-batched-tokens and the step times");
    }

    @Test
    void itselfIsReplayedOnTheMachineThatWasReportedWhateverIsAsked() throws Exception {
        JsonNode itself = json(RECORDING, "--timing", "h100-8b").path("self_replay");
        String[] asked = {
            "--timing",
            "h100-8b",
            "--model",
            "Qwen3-4B",
            "--gpu",
            "RTX A4000",
            "--max-num-seqs",
            "1024",
            "--max-num-batched-tokens",
            "8192"
        };
        String[] offloaded = {
            "--timing",
            "h100-8b",
            "--model",
            "Qwen3-4B",
            "--gpu",
            "RTX A4000",
            "--max-num-seqs",
            "1024",
            "--max-num-batched-tokens",
            "8192",
            "--cpu-offload-gib",
            "8"
        };
        JsonNode with = json(RECORDING, offloaded);
        assertThat(with.path("policies").get(0).path("external_hits").asLong()).isPositive();
        assertThat(with.path("self_replay"))
                .isEqualTo(json(RECORDING, asked).path("self_replay"))
                .isEqualTo(itself);
        assertThat(json(RECORDING, "--timing", "h100-8b", "--usable-blocks", "5000")
                        .path("self_replay"))
                .isEqualTo(itself);
    }

    /** This recording has no prompt events: what conversations share is not known, and that is why its replay is far off. */
    @Test
    void whatPromptsShareIsSaidToBeAssumedWhereTheyWereNotRecorded() {
        assertThat(whatIf(RECORDING).out())
                .contains("what prompts have in common is assumed from lengths", "record with prompt.fingerprint on");
    }

    @Test
    void theAdviceNamesOnlyWhatCanMoveTheVerdict() {
        String out = whatIf(RECORDING, "--tolerance", "0", "--max-num-batched-tokens", "64")
                .out();
        assertThat(out)
                .contains(
                        "NOT FAITHFUL", "Check --max-num-seqs, --max-num-batched-tokens and the step times (--timing,")
                .doesNotContain("--usable-blocks", "--block-size");
    }

    @Test
    void stepTimesThatWereLearntAreTheOnesThatCapacitySimulates() throws Exception {
        String profile = directory.resolve("learnt.json").toString();
        assertThat(whatIf(RECORDING, "--timing-out", profile).code()).isZero();
        String[] asked = {"capacity", RECORDING.toString(), "--sessions", "16", "--json", "--timing-profile", profile};
        JsonNode learnt = JSON.readTree(run(asked).out()).path("simulation");
        JsonNode usual = JSON.readTree(run(Arrays.copyOf(asked, 5)).out()).path("simulation");
        assertThat(learnt.path("row").path("ttft_p50_s").asDouble())
                .isGreaterThan(2 * usual.path("row").path("ttft_p50_s").asDouble());
    }

    @Test
    void aBranchKeepsTheReplicasThatRequestsWentTo() {
        Ran fewer = whatIf(RECORDING, "--from", "20", "--replicas", "2");
        assertThat(fewer.code()).isEqualTo(1);
        assertThat(fewer.err()).contains("that was to 4 replicas: give --replicas 4 or more, or leave out --from");
        assertThat(whatIf(RECORDING, "--from", "20", "--replicas", "5").code()).isZero();
    }
}

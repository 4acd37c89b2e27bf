package dev.warmroute.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.CsvTable;
import dev.warmroute.simulator.replica.ReplicaOptions;
import dev.warmroute.simulator.replica.StandInReplica;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchServeTest {
    private static final int BLOCK = 16;
    /** 200 words are 200 tokens for a stand-in. */
    private static final String SYSTEM = "w17 ".repeat(199) + "w17";

    @TempDir
    private Path directory;

    private static BenchOptions options(
            String endpoint, BenchPrompts prompts, String system, boolean cold, int repeats) {
        return new BenchOptions(
                endpoint,
                "",
                "t,\"1\"",
                prompts,
                system,
                cold,
                false,
                List.of(1, 3),
                repeats,
                1,
                8,
                Optional.empty(),
                JsonNodeFactory.instance.objectNode().put("ignore_eos", true),
                system.isEmpty(),
                List.of(),
                "x-session-id",
                "",
                60);
    }

    /** Keeps what it hears. */
    private static final class Heard implements BenchServe.Progress {
        private final List<OptionalInt> counted = new ArrayList<>();
        private BenchRun run;
        private List<BenchWave> waves = List.of();

        @Override
        public void counted(int prompt, OptionalInt tokens) {
            counted.add(tokens);
        }

        @Override
        public void answered(int concurrency, int repetition, int requests) {
            // every one of them is in the waves
        }

        @Override
        public void ended(BenchRun of, List<BenchWave> ended) {
            run = of;
            waves = ended;
        }
    }

    private static StandInReplica replica() {
        return StandInReplica.start(ReplicaOptions.defaults().withPort(0).withSpeed(100));
    }

    @Test
    void onlyTheSystemPromptIsFoundAndColdNotEvenThat() {
        try (StandInReplica replica = replica()) {
            Heard heard = new Heard();
            BenchResult warm = BenchServe.run(options(replica.url(), BenchPrompts.ofShort(), SYSTEM, false, 2), heard);
            assertThat(warm.firstError()).isEmpty();
            assertThat(warm.requests()).isEqualTo(2 * (1 + 3));
            assertThat(heard.counted).as("a system prompt implies no count").isEmpty();
            List<RequestOutcome> all =
                    heard.waves.stream().flatMap(w -> w.requests().stream()).toList();
            assertThat(all.get(0).cachedTokens())
                    .as("nobody had said it before")
                    .isZero();
            assertThat(all.subList(1, all.size()))
                    .allSatisfy(r -> assertThat(r.cachedTokens()).isEqualTo((200 + 3) / BLOCK * BLOCK));
            assertThat(all).extracting(RequestOutcome::completionTokens).containsOnly(8);
            heard.waves.forEach(w -> assertThat(w.cacheHits().orElseThrow())
                    .isEqualTo(w.requests().stream()
                            .mapToLong(RequestOutcome::cachedTokens)
                            .sum()));
            assertThat(warm.run().cacheType()).isEqualTo("prefix");

            BenchResult cold = BenchServe.run(options(replica.url(), BenchPrompts.ofShort(), SYSTEM, true, 1), heard);
            assertThat(cold.run().promptsId()).isEqualTo(warm.run().promptsId());
            assertThat(heard.waves.get(0).requests().get(0).cachedTokens()).isZero();
            assertThat(heard.waves.get(1).requests())
                    .as("one of a wave computes it, unless they come in different steps")
                    .anyMatch(r -> r.cachedTokens() == 0);
        }
    }

    @Test
    void theFileHasTheReferencesColumnsInItsOrder() throws IOException {
        try (StandInReplica replica = replica()) {
            Heard heard = new Heard();
            BenchResult result = BenchServe.run(options(replica.url(), BenchPrompts.ofLong(), "", false, 1), heard);
            assertThat(heard.counted)
                    .hasSize(8)
                    .allSatisfy(n -> assertThat(n.orElseThrow()).isBetween(2_400, 2_700));
            Path csv = directory.resolve("new/x.csv");
            BenchFileFormat.CSV.write(csv, heard.run, heard.waves);
            List<String> reference = List.of(
                    ("run_id,timestamp,tag,chip,gpu_cores,memory_gb,bandwidth_gbs,os_version,model_id,model_type,"
                                    + "engine_type,mtp_enabled,specprefill,kv_quant,cache_type,prompt_set,concurrency,max_tokens,enable_thinking,"
                                    + "extra_body,repetition,prompt_tokens,ttft_ms,tpot_ms,e2e_latency_ms,gen_tps,prompt_tps,throughput_tps,"
                                    + "requests_per_s,metal_active_gb,metal_peak_gb,metal_cache_gb,cache_hits,cache_misses,cache_hit_rate,"
                                    + "tokens_saved,validated")
                            .split(","));
            List<String> ours = List.of(Files.readAllLines(csv).get(0).split(","));
            List<String> shared = reference.stream().filter(ours::contains).toList();
            assertThat(ours.subList(0, shared.size())).isEqualTo(shared).hasSize(26);

            List<CsvTable.Row> rows = CsvTable.read(csv).rows();
            assertThat(rows).hasSize(4);
            assertThat(rows).allSatisfy(r -> {
                assertThat(r.text("tag")).isEqualTo("t,\"1\"");
                assertThat(r.text("extra_body")).isEqualTo("{\"ignore_eos\":true}");
                assertThat(r.flag("validated")).isTrue();
                assertThat(r.number("e2e_latency_ms"))
                        .isCloseTo(r.number("ttft_ms") + 7 * r.number("tpot_ms"), within(0.02));
                assertThat(r.integer("prompt_tokens")).isGreaterThan(2_400);
            });
            BenchFile read = BenchFile.read(csv);
            assertThat(read.tag()).isEqualTo("t,\"1\"");
            assertThat(read.waves()).extracting(BenchFile.Wave::concurrency).containsExactly(1, 3);
            JsonNode json = new ObjectMapper().readTree(text(heard));
            assertThat(json).hasSize(4);
            assertThat(json.get(0).fieldNames())
                    .toIterable()
                    .containsExactly(Arrays.stream(BenchColumn.values())
                            .map(BenchColumn::columnName)
                            .toArray(String[]::new));
            assertThat(json.get(3).path("ttft_ms").isNumber()).isTrue();
            BenchResult.Row three = result.rows().get(1);
            assertThat(three.ttftS().p50().orElseThrow())
                    .isLessThanOrEqualTo(three.ttftS().p99().orElseThrow());
        }
    }

    private static String text(Heard heard) {
        return BenchFileFormat.JSON.text(heard.run, heard.waves);
    }

    @Test
    void aServerThatIsNotThereOrServesSomethingElseIsSaidInOneLine() {
        assertThatThrownBy(() -> BenchServe.run(
                        options("http://127.0.0.1:1", BenchPrompts.ofShort(), "", false, 1), new Heard()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("http://127.0.0.1:1/v1/models cannot be reached");
        try (StandInReplica replica = replica()) {
            BenchOptions noMetrics = new BenchOptions(
                    replica.url(),
                    "",
                    "t",
                    BenchPrompts.ofShort(),
                    "",
                    false,
                    false,
                    List.of(1),
                    1,
                    0,
                    8,
                    Optional.empty(),
                    JsonNodeFactory.instance.objectNode(),
                    true,
                    List.of(replica.url() + "/nothing"),
                    "x",
                    "",
                    60);
            assertThatThrownBy(() -> BenchServe.run(noMetrics, new Heard()))
                    .isInstanceOf(UserError.class)
                    .hasMessage("--metrics " + replica.url() + "/nothing answered with 404");
        }
    }

    /** Nothing here depends on how long a second is: the answer never ends. */
    @ParameterizedTest
    @ValueSource(ints = {200, 503})
    void anAnswerThatDoesNotEndIsCutOff(int status) throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status, 0);
            exchange.getResponseBody().write("data: {}\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        BenchOptions options = new BenchOptions(
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "m",
                "t",
                BenchPrompts.ofShort(),
                "",
                false,
                false,
                List.of(1),
                1,
                0,
                8,
                Optional.empty(),
                JsonNodeFactory.instance.objectNode(),
                false,
                List.of(),
                "x",
                "",
                1);
        try (BenchEndpoint endpoint = new BenchEndpoint(options)) {
            RequestOutcome outcome = endpoint.ask("m", "s", 0, JsonNodeFactory.instance.arrayNode());
            assertThat(outcome.error()).isEqualTo("timed out");
            assertThat(outcome.status()).isEqualTo(status);
        } finally {
            over.countDown();
            server.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | has no prompts",
                "[\"a\", 5] | entry 2: expected a text, a list of messages, or an object with 'prompt' or 'messages', found 5",
                "[{\"promt\": \"a\"}] | entry 1: expected a text",
                "[{\"prompt\": \"\"}] | entry 1: prompt: expected a text that is not empty",
                "[[]] | entry 1: expected a list of messages that is not empty",
                "[[{\"role\": \"user\"}]] | entry 1: message 1: content: expected a text that is not empty, found nothing",
                "[[{\"role\": 1, \"content\": \"a\"}]] | entry 1: message 1: role: expected a text",
                "[{\"messages\": {}}] | entry 1: messages: expected a list of messages",
                "[[{\"role\": \"system\", \"content\": \"a\"}]] | entry 1: no message has the role 'user'",
                "[\"a\" | is not JSON",
                "{\"prompt\": 1} | line 1: prompt: expected a text",
                "{prompt} | line 1 is not JSON",
            })
    void aWrongPromptIsNamedByEntryAndField(String text, String said) throws IOException {
        Path file = Files.writeString(directory.resolve("p.json"), text);
        assertThatThrownBy(() -> BenchPromptFile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(said);
    }

    @Test
    void promptsOfAFileAreAskedAsTheyStandButForTheirBeginning() throws IOException {
        Path file = Files.writeString(
                directory.resolve("p.jsonl"),
                "{\"prompt\": \"one\", \"output_tokens\": 5}\n\n[{\"role\": \"user\", \"content\": \"two\"}]\n\"three\"\n");
        BenchPrompts prompts = BenchPromptFile.read(file);
        assertThat(prompts.prompts()).hasSize(3);
        assertThat(prompts.prompts().get(1).asked("sys", "w7 w8").toString())
                .isEqualTo("[{\"role\":\"system\",\"content\":\"sys\"},{\"role\":\"user\",\"content\":\"w7 w8 two\"}]");
        assertThat(prompts.prompts().get(1).asked("", "").toString())
                .isEqualTo("[{\"role\":\"user\",\"content\":\"two\"}]");
        assertThat(prompts.id(""))
                .isNotEqualTo(prompts.id("sys"))
                .isEqualTo(BenchPromptFile.read(file).id(""));
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() throws IOException {
        assertThatThrownBy(() -> options("http://h", BenchPrompts.ofShort(), "", true, 1))
                .hasMessageContaining("--system-prompt-file");
        assertThatThrownBy(() -> options("http://h", BenchPrompts.ofShort(), "", false, 0))
                .hasMessage("--repeats 0: expected at least 1");
        Path file = Files.writeString(
                directory.resolve("p.json"),
                "[[{\"role\": \"system\", \"content\": \"a\"}, {\"role\": \"user\", \"content\": \"b\"}]]");
        BenchPrompts own = BenchPromptFile.read(file);
        assertThatThrownBy(() -> options("http://h", own, "sys", false, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("have a system prompt of their own");
    }
}

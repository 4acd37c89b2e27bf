package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warmroute.recorder.ingest.Recorder;
import dev.warmroute.recorder.ingest.RecorderOptions;
import dev.warmroute.recorder.ingest.Until;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.Topic;
import dev.warmroute.simulator.load.AgentLoad;
import dev.warmroute.simulator.load.AgentLoadOptions;
import dev.warmroute.simulator.load.AgentLoadResult;
import dev.warmroute.simulator.load.RequestOutcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four real vLLM servers behind the router and sixteen agent sessions: what is recorded is what the engines said, to the token.
 * Skipped without a vLLM ({@code -Dwarmroute.vllm=DIR}); {@code -Dwarmroute.keep=DIR} keeps the recording.
 */
class RealFleetTest {
    private static final EventCodec CODEC = new EventCodec();
    private static final int REPLICAS = 4;
    private static final int SESSIONS = 16;
    private static final List<String> COUNTED = List.of(
            "prompt_tokens", "prompt_tokens_cached", "generation_tokens", "prefix_cache_queries", "prefix_cache_hits");

    @TempDir
    private Path directory;

    private final List<RealReplica> replicas = new ArrayList<>();
    private int recordings;

    @BeforeEach
    void start() {
        Path vllm = RealReplica.installed().orElse(null);
        assumeTrue(vllm != null, "needs a vLLM: ../shared/tools/real-vllm/install.sh DIR, then -Dwarmroute.vllm=DIR");
        for (int i = 0; i < REPLICAS; i++) {
            // 300 blocks of 32 tokens: with sixteen sessions of about 3,000 tokens the fleet is at its knee
            replicas.add(RealReplica.start(vllm, directory, 300));
        }
        await().atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> replicas.stream().allMatch(RealReplica::answers));
    }

    @AfterEach
    void stop() {
        replicas.forEach(RealReplica::close);
    }

    @Test
    void whatIsRecordedIsWhatTheEnginesSaidToTheToken() throws Exception {
        try (RouterProcess router = RouterProcess.start(directory, yaml())) {
            awaitScrapesAfter(0);
            AgentLoadResult driven = AgentLoad.run(AgentLoadOptions.defaults()
                    .withEndpoint("http://127.0.0.1:" + router.port())
                    .withModel("tiny")
                    .withSessions(SESSIONS)
                    .withShape(960, 1840, 104, 6, 40)
                    .withRounds(2)
                    .withGap(0.5)
                    .withTime(280, 1));
            assertThat(driven.summary().failures())
                    .as(driven.summary().firstError())
                    .isZero();
            Recording recording = awaitScrapesAfter(System.currentTimeMillis() * 1000);
            keep(recording);

            requireUsageOfEveryRequest(driven, completions(recording));
            requireCountersOfTheEngines(recording);
            Verification proof = TraceVerifier.verify(recording);
            assertThat(proof.differences()).isEmpty();
            assertThat(proof.checks()).allMatch(Verification.Check::ok);
            assertThat(proof.checks())
                    .filteredOn(c -> c.name().equals("tokens"))
                    .singleElement()
                    .satisfies(c ->
                            assertThat(c.detail()).doesNotStartWith("0 sums").endsWith("0 differ"));

            askWithoutUsage(router.port());
            RequestCompleted last = completions(awaitScrapesAfter(System.currentTimeMillis() * 1000))
                    .getLast();
            assertThat(last.promptTokens()).as("a stream without usage").isEmpty();
            assertThat(last.cachedTokens()).isEmpty();
        }
    }

    private String yaml() {
        StringBuilder yaml = new StringBuilder("""
                listen: 127.0.0.1:0
                admin: {listen: 127.0.0.1:0}
                counters: {interval: 500ms}
                prompt: {fingerprint: off}
                data_dir: "%1$s/data"
                salt_file: "%1$s/salt"
                models:
                  - name: tiny
                    max_num_seqs: 32
                    policy: warden
                    replicas:
                """.formatted(directory));
        for (int i = 0; i < REPLICAS; i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: \"")
                    .append(replicas.get(i).url())
                    .append("\"}\n");
        }
        return yaml.toString();
    }

    /** Per session, in order: prompt, cached and completion tokens of the events are those of the client's own usage. */
    private static void requireUsageOfEveryRequest(AgentLoadResult driven, List<RequestCompleted> completions) {
        Map<String, List<String>> said = driven.requests().stream()
                .sorted(Comparator.comparingInt(RequestOutcome::turn))
                .collect(Collectors.groupingBy(
                        RequestOutcome::session,
                        Collectors.mapping(
                                r -> r.promptTokens() + " " + r.cachedTokens() + " " + r.completionTokens(),
                                Collectors.toList())));
        Map<String, List<String>> recorded = completions.stream()
                .sorted(Comparator.comparingLong(RequestCompleted::arrivalUs))
                .collect(Collectors.groupingBy(
                        c -> c.session().hash().orElseThrow(),
                        Collectors.mapping(
                                c -> number(c.promptTokens()) + " " + number(c.cachedTokens()) + " "
                                        + number(c.completionTokens()),
                                Collectors.toList())));
        assertThat(completions).hasSameSizeAs(driven.requests());
        assertThat(recorded.values()).containsExactlyInAnyOrderElementsOf(said.values());
        assertThat(driven.requests()).allMatch(r -> r.cachedTokens() >= 0);
        assertThat(driven.requests()).anyMatch(r -> r.cachedTokens() > 0);
    }

    private static long number(OptionalLong tokens) {
        return tokens.orElse(-1);
    }

    /** The deltas of every counter add up to what the engine's page gained, and the last total is what the page says now. */
    private void requireCountersOfTheEngines(Recording recording) throws Exception {
        List<CountersDelta> counters = all(recording, Topic.COUNTERS, CountersDelta.class);
        for (int i = 0; i < REPLICAS; i++) {
            String id = "r" + i;
            List<CountersDelta> own =
                    counters.stream().filter(c -> c.replica().equals(id)).toList();
            for (String name : COUNTED) {
                double first = own.getFirst().totals().get(name);
                double last = own.getLast().totals().get(name);
                double sum = own.stream()
                        .mapToDouble(c -> c.deltas().getOrDefault(name, 0.0))
                        .sum();
                assertThat(sum).as("%s of %s", name, id).isEqualTo(last - first);
                assertThat(last)
                        .as("%s of %s", name, id)
                        .isEqualTo(replicas.get(i).counter(name));
            }
            assertThat(own.getLast().totals().get("prompt_tokens")).isPositive();
        }
    }

    /** Records everything anew until every replica has been read twice after a moment. */
    private Recording awaitScrapesAfter(long us) {
        List<Recording> last = new ArrayList<>();
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    Recording recording = record();
                    last.add(recording);
                    Map<String, Long> after = all(recording, Topic.COUNTERS, CountersDelta.class).stream()
                            .filter(c -> c.scrapedUs() > us)
                            .collect(Collectors.groupingBy(CountersDelta::replica, Collectors.counting()));
                    return after.size() == REPLICAS && after.values().stream().allMatch(n -> n >= 2);
                });
        return last.getLast();
    }

    private Recording record() {
        Path trace = directory.resolve("trace-" + recordings++);
        String bootstrap =
                EmbeddedBroker.lastBootstrap(directory.resolve("data/broker")).orElseThrow();
        new Recorder(RecorderOptions.of(bootstrap, "warmroute", trace, "test").withUntil(Until.END), p -> {}).run();
        return Recording.open(trace);
    }

    private void keep(Recording recording) throws IOException {
        String keep = System.getProperty("warmroute.keep", "");
        if (keep.isEmpty()) {
            return;
        }
        Path from = directory.resolve("trace-" + (recordings - 1));
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = Path.of(keep).resolve(from.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }

    private static void askWithoutUsage(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/chat/completions"))
                .header("content-type", "application/json")
                .header("x-session-id", "says-nothing-of-usage")
                .POST(BodyPublishers.ofString(
                        "{\"model\":\"tiny\",\"stream\":true,\"max_tokens\":4,\"messages\":[{\"role\":\"user\","
                                + "\"content\":\"w7 w8 w9\"}]}"))
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        assertThat(answer).contains("[DONE]").doesNotContain("prompt_tokens");
    }

    private static List<RequestCompleted> completions(Recording recording) {
        return all(recording, Topic.REQUESTS, RequestCompleted.class).stream()
                .sorted(Comparator.comparingLong(RequestCompleted::arrivalUs))
                .toList();
    }

    private static <T extends Event> List<T> all(Recording recording, Topic topic, Class<T> type) {
        List<T> all = new ArrayList<>();
        try (EventCursor events = recording.events(topic)) {
            while (events.hasNext()) {
                Event event = events.next().event(CODEC);
                if (type.isInstance(event)) {
                    all.add(type.cast(event));
                }
            }
        }
        return all;
    }
}

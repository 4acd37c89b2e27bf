package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.simulator.load.AgentLoadSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a request to a proven recording, over real HTTP and a real broker. */
class WholePathTest {
    private static final EventCodec CODEC = new EventCodec();

    @TempDir
    private Path directory;

    @Test
    void aRecordingOfLiveTrafficIsProvenAndAnEditedDecisionIsNamed() {
        AgentLoadSummary driven;
        Recording recording;
        try (Machine machine = new Machine(directory)) {
            try (LiveRouter router = machine.router("warden", 100_000)) {
                driven = Machine.drive(router, "proof");
                theDashboardAsksOnlyForWhatIsThere(router);
            }
            recording = machine.record(directory.resolve("trace"));
        }
        assertThat(driven.failures()).as(driven.firstError()).isZero();

        Verification proof = TraceVerifier.verify(recording);
        assertThat(proof.differences()).isEmpty();
        assertThat(proof.ok()).isTrue();
        assertThat(proof.decisions()).isEqualTo(driven.requests());
        assertThat(completions(recording).stream()
                        .mapToLong(c -> c.cachedTokens().orElseThrow())
                        .sum())
                .isEqualTo(driven.cachedTokens());
        assertThat(TraceSource.read(directory.resolve("trace").toString()).turns())
                .hasSize(driven.requests())
                .allMatch(Turn::hasSession);

        RecordedEvent edited = withOneDecisionEdited(recording, directory.resolve("edited"));
        Verification doubt = TraceVerifier.verify(Recording.open(directory.resolve("edited")));
        assertThat(doubt.ok()).isFalse();
        assertThat(doubt.mismatches()).isEqualTo(1);
        assertThat(doubt.differences().get(0).event()).isEqualTo(edited.id());
    }

    private static void theDashboardAsksOnlyForWhatIsThere(LiveRouter router) {
        Path dashboard = Path.of(System.getProperty("warmroute.root", "..")).resolve("deploy/grafana/warmroute.json");
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI page = URI.create("http://127.0.0.1:" + router.server().adminPort() + "/metrics");
            String metrics = http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            Set<String> there = found("# TYPE (\\w+)", metrics);
            assertThat(found("\\b(warmroute_\\w+)", Files.readString(dashboard)))
                    .hasSizeGreaterThan(15)
                    .isSubsetOf(there);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(m -> m.group(1))
                .collect(Collectors.toSet());
    }

    @Test
    void requestsGoOnWhileTheBrokerIsAwayAndWhatWasLostIsCounted() {
        int buffer = 60;
        AgentLoadSummary before;
        AgentLoadSummary away;
        AgentLoadSummary after;
        Recording recording;
        try (Machine machine = new Machine(directory)) {
            try (LiveRouter router = machine.router("round_robin", buffer)) {
                before = Machine.drive(router, "before");
                machine.stopBroker();
                away = Machine.drive(router, "away");
                machine.startBroker();
                after = Machine.drive(router, "after");
            }
            recording = machine.record(directory.resolve("trace"));
        }
        for (AgentLoadSummary run : List.of(before, away, after)) {
            assertThat(run.failures()).as(run.firstError()).isZero();
            assertThat(run.requests()).isEqualTo(32);
        }
        Verification proof = TraceVerifier.verify(recording);
        long lost = 0;
        try (EventCursor control = recording.events(Topic.CONTROL)) {
            while (control.hasNext()) {
                if (control.next().event(CODEC) instanceof EventsLost e) {
                    lost += e.count().values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
                }
            }
        }
        // 32 requests say more than the buffer holds; every number is either here or said to be lost
        assertThat(lost).isPositive();
        assertThat(proof.mismatches()).isZero();
        assertThat(proof.checks()).filteredOn(c -> c.name().equals("sequences")).allMatch(Verification.Check::ok);
    }

    private static List<RequestCompleted> completions(Recording recording) {
        List<RequestCompleted> all = new ArrayList<>();
        try (EventCursor requests = recording.events(Topic.REQUESTS)) {
            while (requests.hasNext()) {
                all.add((RequestCompleted) requests.next().event(CODEC));
            }
        }
        return all;
    }

    /** Copies a recording and says of its first placement that another replica was chosen. */
    private static RecordedEvent withOneDecisionEdited(Recording recording, Path copy) {
        RecordedEvent edited = null;
        try (TraceWriter writer = TraceWriter.open(copy, "test", "", "", TraceWriter.Limits.DEFAULT)) {
            for (Topic topic : Topic.values()) {
                try (EventCursor events = recording.events(topic)) {
                    while (events.hasNext()) {
                        RecordedEvent event = events.next();
                        if (edited == null && event.type().equals(EventType.ROUTING_DECISION.wireName())) {
                            event = edited = chosenElsewhere(event);
                        }
                        writer.append(event);
                    }
                }
            }
            writer.roll();
        }
        return edited;
    }

    private static RecordedEvent chosenElsewhere(RecordedEvent e) {
        String chosen = ((RoutingDecision) e.event(CODEC)).chosen().orElseThrow();
        String other = chosen.equals("r0") ? "r1" : "r0";
        String json = new String(e.data(), StandardCharsets.UTF_8)
                .replace("\"chosen\":\"" + chosen + "\"", "\"chosen\":\"" + other + "\"");
        return e.withData(json.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.ControlEvent.ModelSetup;
import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.Evidence;
import dev.warmroute.router.state.ModelRouter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the trace commands print about a small trace, for people and as JSON. */
class TraceCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long START_US = 1_796_000_000_000_000L;

    @TempDir
    private Path directory;

    private Path trace;
    private TraceWriter writer;
    private final Map<String, Long> tickets = new HashMap<>();
    private final Map<Topic, Long> offsets = new EnumMap<>(Topic.class);
    private final RoutingPolicy policy = Policies.create("warden", Map.of(), 32);
    private final ModelRouter router = new ModelRouter(policy);
    private long sequence;
    private long nowUs = START_US;

    private record Ran(int code, String out, String err) {
        JsonNode json() throws Exception {
            assertThat(code).as(err).isZero();
            return JSON.readTree(out);
        }
    }

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), args)
                .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }

    @BeforeEach
    void record() {
        trace = directory.resolve("trace");
        try (TraceWriter opened = TraceWriter.open(trace, "0.1.0", "", "", Limits.DEFAULT)) {
            writer = opened;
            publish(id -> new ControlEvent.RouterStarted(
                    nowUs,
                    "0.1.0",
                    "salt",
                    List.of(new ModelSetup("m", 32, policy.spec().identity(), List.of("r0", "r1"))),
                    id));
            decide("q1", "s1");
            decide("q2", "s2");
            complete("q1", "s1", "r0");
            decide("q3", "s1");
        }
    }

    private void publish(Function<RouterIdentity, Event> event) {
        nowUs += 1_000_000;
        RouterIdentity identity = new RouterIdentity("router-a", 1, sequence++);
        Event built = event.apply(identity);
        Envelope e = Envelope.of(
                built, identity, "salt", Instant.ofEpochMilli(nowUs / 1000).toString());
        long offset = offsets.merge(e.type().topic(), 1L, Long::sum) - 1;
        writer.append(new RecordedEvent(
                e.type().topic(),
                0,
                offset,
                nowUs / 1000,
                e.partitionKey(),
                e.id(),
                e.type().wireName(),
                e.source(),
                e.subject(),
                e.time(),
                e.sequence(),
                e.saltId(),
                new EventCodec().encode(built)));
    }

    private void decide(String request, String session) {
        ModelRouter.Decision d = router.decide(
                new RoutingRequest(session, 100, 1),
                List.of(ReplicaStatus.up("r0", Signals.NONE), ReplicaStatus.up("r1", Signals.NONE)),
                (nowUs - START_US) * 1000);
        tickets.put(request, d.ticket());
        publish(id -> new RoutingDecision(
                request,
                nowUs - 40,
                nowUs,
                session(session),
                "m",
                "openai",
                true,
                new PromptSize(400, OptionalLong.of(100), false),
                policy.spec().identity(),
                1,
                d.view().inputs(),
                Evidence.candidates(d.view(), d.placement()),
                Double.isNaN(d.placement().threshold())
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(d.placement().threshold()),
                text(d.homeBefore()),
                text(d.homeAfter()),
                text(d.replica()),
                d.placement().kind(),
                d.placement().propensity(),
                1,
                900,
                id));
    }

    private void complete(String request, String session, String replica) {
        router.release(tickets.remove(request), new Completion(100, -1, -1), (nowUs - START_US) * 1000);
        publish(id -> new RequestCompleted(
                request,
                session(session),
                "m",
                Optional.of(replica),
                OptionalInt.of(200),
                Optional.empty(),
                EndedBy.FINISHED,
                0,
                nowUs - 500_000,
                OptionalLong.of(nowUs - 250_000),
                nowUs,
                OptionalLong.of(100),
                OptionalLong.of(64),
                OptionalLong.of(20),
                Optional.of("stop"),
                1,
                id));
    }

    private static Session session(String hash) {
        return new Session(Optional.of(hash), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    @Test
    void headShowsTheFirstEventsOfWhatIsAskedFor() throws Exception {
        assertThat(run("trace", "head", trace.toString(), "-n", "2").out())
                .contains("router.started.v1", "decisions/0:0", "q1")
                .doesNotContain("q2");
        JsonNode events = run("trace", "head", trace.toString(), "--session", "s1", "--json")
                .json()
                .path("events");
        assertThat(events).hasSize(3);
        assertThat(events.get(1).path("data").path("cached_tokens").asInt()).isEqualTo(64);
        assertThat(run("trace", "head", trace.toString(), "--topic", "decisions", "--from", "2", "--json")
                        .json()
                        .path("events"))
                .hasSize(1);
    }

    @Test
    void stateSaysWhatTheRouterBelievedAtAMomentHoweverItIsNamed() throws Exception {
        for (String at : List.of(
                "+2s",
                "1",
                "decisions/0:1",
                Instant.ofEpochMilli(START_US / 1000 + 3000).toString())) {
            JsonNode state = run("trace", "state", trace.toString(), "--at", at, "--json")
                    .json();
            assertThat(state.path("in_flight")).as(at).hasSize(2);
            assertThat(state.path("homes")).as(at).hasSize(2);
        }
        String people = run("trace", "state", trace.toString(), "--at", "+1h").out();
        assertThat(people)
                .contains("warden v1 (", "in flight  2", "q2  s2 on r1", "homes      2")
                .contains("r0");
    }

    @Test
    void whySaysWhatEachCandidateLacked() throws Exception {
        String people = run("trace", "why", trace.toString(), "q3").out();
        assertThat(people)
                .contains(
                        "decision   sticky by warden v1: at home on r0",
                        "not the conversation's home",
                        "derived    the same again",
                        "end        not in the trace");
        assertThat(run("trace", "why", trace.toString(), "q1").out())
                .contains(
                        "end        finished, status 200, first byte after 0.250 s",
                        "100 prompt tokens, 64 cached, 20 generated");
        JsonNode json = run("trace", "why", trace.toString(), "q3", "--json").json();
        assertThat(json.path("decisions").get(0).path("decision").path("kind").asText())
                .isEqualTo("sticky");
        assertThat(json.path("decisions")
                        .get(0)
                        .path("candidates")
                        .get(0)
                        .path("lacked")
                        .asText())
                .isEqualTo("chosen");
    }

    @Test
    void theExampleOfWhyWorksWithAnIdThatHeadShows() {
        assertThat(run("trace", "why", "--help").out())
                .contains(
                        "trace head ./warmroute-demo/trace --topic decisions",
                        "trace why ./warmroute-demo/trace REQUEST");
        String decision = run("trace", "head", trace.toString(), "--topic", "decisions")
                .out()
                .lines()
                .findFirst()
                .orElseThrow();
        Ran why = run("trace", "why", trace.toString(), decision.substring(decision.lastIndexOf(' ') + 1));
        assertThat(why.code()).as(why.err()).isZero();
        assertThat(why.out()).startsWith("request    q1");
    }

    @Test
    void theHelpOfAnonymiseSaysWhomItDoesNotProtectAgainst() {
        assertThat(run("trace", "anonymise", "--help").out().replaceAll("\\s+", " "))
                .contains("whoever has the original trace can join the two, event by event")
                .doesNotContain("nobody can ever tell");
    }

    @Test
    void aModelThatIsNotThereIsNamedAndTheDirectoryCanBeNamedAgain() {
        String out = directory.resolve("x").toString();
        Ran none = run("trace", "cut", trace.toString(), "--model", "typo", "--out", out);
        assertThat(none.code()).isNotZero();
        assertThat(none.err()).contains("has no request of a model typo; its models are m");
        assertThat(run("trace", "cut", trace.toString(), "--model", "m", "--out", out)
                        .code())
                .isZero();
    }

    @Test
    void cutJoinAndAnonymiseMakeTracesThatVerify() throws Exception {
        String[] parts = {"a", "b"};
        for (int i = 0; i < 2; i++) {
            Ran cut = run(
                    "trace",
                    "cut",
                    trace.toString(),
                    i == 0 ? "--to" : "--from",
                    "+2s",
                    "--out",
                    directory.resolve(parts[i]).toString());
            assertThat(cut.code()).as(cut.err()).isZero();
            assertThat(cut.out()).contains("completions: what was decided before the first event");
            assertThat(run("trace", "verify", directory.resolve(parts[i]).toString())
                            .code())
                    .isZero();
        }
        JsonNode joined = run(
                        "trace",
                        "join",
                        directory.resolve("a").toString(),
                        directory.resolve("b").toString(),
                        "--out",
                        directory.resolve("joined").toString(),
                        "--json")
                .json();
        assertThat(joined.path("events").path("routing.decision.v1").asInt()).isEqualTo(3);
        Ran anonymised = run(
                "trace",
                "anonymise",
                directory.resolve("joined").toString(),
                "--salt",
                directory.resolve("salt").toString(),
                "--out",
                directory.resolve("c").toString());
        assertThat(anonymised.code()).as(anonymised.err()).isZero();
        assertThat(run("trace", "head", directory.resolve("c").toString()).out())
                .contains("routing.decision.v1")
                .doesNotContain("\"s1\"", "q1");
        Ran verified = run("trace", "verify", directory.resolve("c").toString());
        assertThat(verified.code()).as(verified.out()).isZero();
        assertThat(verified.out()).contains("3 decisions derived again, 0 mismatches", "[tolerance 0]");
        assertThat(run("trace", "info", directory.resolve("c").toString(), "--verify-hashes")
                        .out())
                .contains(
                        "made by    cut: ",
                        "made by    join: 2 traces",
                        "made by    anonymise: from salt salt to ",
                        "all equal");
    }

    @Test
    void wrongMomentsAndDirectoriesAreSaidInWords() {
        assertThat(run("trace", "state", trace.toString(), "--at", "noon").err())
                .contains("'noon' is no moment; write a time such as");
        assertThat(run(
                                "trace",
                                "cut",
                                trace.toString(),
                                "--out",
                                directory.resolve("x").toString())
                        .err())
                .contains("say what to keep");
        assertThat(run("trace", "cut", trace.toString(), "--from", "+1s", "--out", trace.toString())
                        .err())
                .contains("is not empty");
        assertThat(run("trace", "why", trace.toString(), "zz").err()).contains("has no request zz");
        assertThat(run("trace", "join", trace.toString(), "--out", "x").code()).isEqualTo(2);
    }
}

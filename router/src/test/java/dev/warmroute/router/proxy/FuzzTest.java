package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.proxy.FuzzedRequest.Behaviour;
import dev.warmroute.router.proxy.FuzzedRequest.Kind;
import dev.warmroute.router.proxy.FuzzedRequest.Then;
import dev.warmroute.router.session.Salt;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.util.ResourceLeakDetector;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.slf4j.LoggerFactory;

/**
 * Requests as odd as the protocol allows, and wrong in every way, pipelined and cut anywhere, on several connections at once.
 * What is right is answered in order and reaches the replica to the byte; what is wrong is answered with an error, and nothing
 * after it reaches anybody; whatever begins as an answer is one; and in the end nothing is left behind. As many requests as
 * {@code -Dwarmroute.fuzz.requests} says.
 */
class FuzzTest {
    private static final int TRIES = 50;
    private static final int REQUESTS_EACH = 5;
    private static final int REQUESTS = Integer.getInteger("warmroute.fuzz.requests", 10_000);
    /** In a try of either property; a fifth more than it takes, since some end before all their requests are sent. */
    private static final int CONNECTIONS = (int) Math.ceil(1.2 * REQUESTS / TRIES / REQUESTS_EACH / 2);

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(true);
    private static final MemorySink SINK = new MemorySink();
    private static final ListAppender<ILoggingEvent> LOGGED = new ListAppender<>();
    private static final AtomicLong SENT = new AtomicLong();
    private static final AtomicLong IDS = new AtomicLong();
    /** What the replica may be asked, by id; what is not in here must not reach it. */
    private static final Map<String, byte[]> ALLOWED = new ConcurrentHashMap<>();

    private static final Set<String> SERVED = ConcurrentHashMap.newKeySet();
    private static final List<String> INTRUDERS = new CopyOnWriteArrayList<>();
    private static final ExecutorService CLIENTS = Executors.newVirtualThreadPerTaskExecutor();
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    /** Whether all that is sent is known to be one thing or the other. */
    private static volatile boolean understood;

    private static ResourceLeakDetector.Level leakDetection;
    private static ScriptedReplica replica;
    private static ProxyServer proxy;

    /** A request on a connection. */
    record Spec(Kind kind, Behaviour behaviour, long seed) {}

    /**
     * A connection.
     *
     * @param cuts seed of where the bytes are cut
     * @param leaves whether the client leaves in the middle
     */
    record Plan(List<Spec> specs, long cuts, boolean leaves) {}

    @Provide
    Arbitrary<List<Plan>> plans() {
        Arbitrary<Spec> spec = Combinators.combine(
                        Arbitraries.of(Kind.class), Arbitraries.of(Behaviour.class), Arbitraries.longs())
                .as(Spec::new);
        Arbitrary<Plan> plan = Combinators.combine(
                        spec.list().ofSize(REQUESTS_EACH),
                        Arbitraries.longs(),
                        Arbitraries.integers().between(0, 9).map(i -> i == 9))
                .as(Plan::new);
        return plan.list().ofSize(CONNECTIONS);
    }

    @BeforeContainer
    static void start() {
        leakDetection = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        LOGGED.start();
        ROOT.addAppender(LOGGED);
        replica = new ScriptedReplica(FuzzTest::answer);
        RouterConfig config = RouterConfig.parse(
                "fuzz",
                "limits: {max_body: " + FuzzedRequest.MAX_BODY + "B}\nmodels: [{name: m, replicas: [{id: r0, url: '"
                        + replica.url() + "'}]}]");
        proxy = new ProxyServer(
                config,
                RouterServices.of(SINK, new Salt(new byte[32])).withEventLoops(2),
                Transport.of(Epoll.isAvailable(), ALLOCATOR));
        proxy.listen(new Address("127.0.0.1", 0));
    }

    private static void answer(ScriptedReplica.Request request, ScriptedReplica.Connection connection)
            throws IOException {
        String[] fuzz = request.head()
                .lines()
                .filter(l -> l.regionMatches(true, 0, "x-fuzz: ", 0, 8))
                .map(l -> l.substring(8).split(" "))
                .filter(f -> f.length == 2)
                .findFirst()
                .orElse(new String[] {"", ""});
        byte[] expected = ALLOWED.get(fuzz[0]);
        if (understood
                && (expected == null
                        || !Arrays.equals(expected, request.body())
                        || !request.firstLine().startsWith("POST /v1/"))) {
            INTRUDERS.add(request.head() + request.text());
        }
        SERVED.add(fuzz[0]);
        Behaviour behaviour = Arrays.stream(Behaviour.values())
                .filter(b -> b.name().equals(fuzz[1]))
                .findFirst()
                .orElse(Behaviour.JSON);
        switch (behaviour) {
            case JSON ->
                ScriptedReplica.json(200, "{\"usage\":{\"prompt_tokens\":1},\"id\":\"" + fuzz[0] + "\"}")
                        .answer(request, connection);
            case STREAM ->
                connection.send(
                        ScriptedReplica.STREAM_HEAD + "9\r\ndata: a\n\n\r\n2;x=\"y\"\r\n: \r\n0\r\nt: u\r\n\r\n");
            case INTERIM ->
                connection.send(
                        "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
            case NOT_FOUND ->
                ScriptedReplica.json(404, "{\"error\":{\"message\":\"no\"}}").answer(request, connection);
            case BYTES ->
                connection.send(
                        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\u0000\u001f\u0001\u0002");
            case UNTIL_CLOSE -> {
                connection.send("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nuntil the end");
                connection.close();
            }
            case NO_ANSWER -> connection.close();
            case BREAKS_OFF -> {
                connection.send(ScriptedReplica.STREAM_HEAD + "9\r\ndata: a\n\n\r\n");
                connection.close();
            }
        }
    }

    @AfterContainer
    static void nothingIsLeftBehind() {
        try {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> proxy.status().totals().connections() == 0);
            ProxyTotals totals = proxy.status().totals();
            await().atMost(Duration.ofSeconds(20)).until(() -> totals.open() == 0);
            List<RequestCompleted> ended = SINK.all(RequestCompleted.class);
            assertThat(totals.accepted()).isEqualTo(ended.size()).isGreaterThan(SENT.get() / 10);
            assertThat(ended.stream()
                            .map(RequestCompleted::requestId)
                            .distinct()
                            .count())
                    .isEqualTo(ended.size());
            assertThat(SINK.all(RoutingDecision.class).size()).isEqualTo(ended.size());
            assertThat(proxy.status().models().get(0).replicas().get(0).inFlight())
                    .isZero();
        } finally {
            proxy.close();
            replica.close();
        }
        assertThat(ALLOCATOR.metric().usedDirectMemory()).isZero();
        assertThat(ALLOCATOR.metric().usedHeapMemory()).isZero();
        System.gc(); // a leak is reported with the next buffer after its own was collected
        IntStream.range(0, 1_000).forEach(i -> ALLOCATOR.buffer(16).release());
        ResourceLeakDetector.setLevel(leakDetection);
        ROOT.detachAppender(LOGGED);
        assertThat(LOGGED.list.stream()
                        .filter(l -> l.getLevel().isGreaterOrEqual(Level.ERROR))
                        .map(ILoggingEvent::toString))
                .as("leaks, and faults of the router's own")
                .isEmpty();
        assertThat(replica.failures()).isEmpty();
        assertThat(SENT.get()).isGreaterThanOrEqualTo(REQUESTS);
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void whatIsRightIsAnsweredInOrderAndWhatIsWrongSmugglesNothing(@ForAll("plans") List<Plan> plans) throws Exception {
        understood = true;
        together(plans, this::converse);
        assertThat(INTRUDERS)
                .as("requests that reached the replica without being meant to")
                .isEmpty();
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void whateverIsSentEveryAnswerIsWhole(@ForAll("plans") List<Plan> plans) throws Exception {
        understood = false;
        together(plans, this::babble);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> proxy.status().totals().connections() == 0);
    }

    private interface Talk {
        void with(Plan plan) throws IOException;
    }

    private static void together(List<Plan> plans, Talk talk) throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        for (Plan plan : plans) {
            running.add(CLIENTS.submit(() -> {
                try {
                    talk.with(plan);
                } catch (IOException | AssertionError e) {
                    throw new AssertionError("in " + plan, e);
                }
                return null;
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
    }

    private void converse(Plan plan) throws IOException {
        List<FuzzedRequest> requests = new ArrayList<>();
        boolean reached = true;
        for (Spec spec : plan.specs()) {
            String id = Long.toString(IDS.incrementAndGet());
            FuzzedRequest request =
                    FuzzedRequest.of(id, spec.kind(), spec.behaviour(), new SplittableRandom(spec.seed()));
            if (reached && spec.kind() != Kind.REFUSED && spec.kind() != Kind.REFUSED_BODY) {
                ALLOWED.put(id, request.body());
            }
            reached &= request.then() == Then.GOES_ON;
            requests.add(request);
        }
        try (RawClient client = new RawClient(proxy.port())) {
            SplittableRandom cuts = new SplittableRandom(plan.cuts());
            CLIENTS.submit(() ->
                    send(client, requests.stream().map(FuzzedRequest::bytes).toList(), cuts));
            if (plan.leaves()) {
                expect(client, requests.get(0)); // and is gone, whatever is going on for the others
                return;
            }
            Then then = Then.GOES_ON;
            for (FuzzedRequest request : requests) {
                if (then == Then.GOES_ON) {
                    expect(client, request);
                    then = request.then();
                }
            }
            if (then == Then.GOES_ON) {
                client.shutdownOutput();
            }
            assertThat(client.ended()).as("nothing after the last answer").isTrue();
        }
    }

    /** Sends in pieces of any length. */
    private static Void send(RawClient client, List<byte[]> requests, SplittableRandom cuts) {
        try {
            for (byte[] request : requests) {
                SENT.incrementAndGet();
                int most = cuts.nextInt(3) == 0 ? 3 : 4_000;
                for (int at = 0; at < request.length; ) {
                    int n = Math.min(request.length - at, 1 + cuts.nextInt(at > 2_000 ? 20_000 : most));
                    client.send(Arrays.copyOfRange(request, at, at + n));
                    at += n;
                }
            }
        } catch (IOException e) {
            // the router has closed the connection: what came before is still to be read
        }
        return null;
    }

    private static void expect(RawClient client, FuzzedRequest request) throws IOException {
        if (request.then() == Then.BREAKS) {
            RawClient.Answer broken = null;
            try {
                broken = next(client, request.toHead());
            } catch (EOFException | SocketException e) {
                // cut off, so that it cannot pass for complete
            }
            // HTTP/1.0 has no chunks, and so only the error at its end
            assertThat(broken == null || broken.text().contains("\"error\"")).isTrue();
            return;
        }
        RawClient.Answer answer = next(client, request.toHead());
        assertThat(request.statuses()).as(answer.head()).contains(answer.status());
        if (answer.status() >= 400 && !answer.text().contains("\"no\"")) {
            isAnError(answer);
        } else if (SERVED.contains(request.id()) && answer.text().contains("\"id\"")) {
            assertThat(answer.text()).contains("\"" + request.id() + "\"");
        }
    }

    /** The next answer; interim ones before it are passed over. */
    private static RawClient.Answer next(RawClient client, boolean toHead) throws IOException {
        while (true) {
            RawClient.Answer answer = client.answer(toHead);
            assertThat(answer.head())
                    .matches("(?s)HTTP/1\\.1 \\d{3} [ -~]*\r\n([!#-'*+.^_`|~0-9A-Za-z-]+: [^\r\n\0]*\r\n)*\r\n");
            if (answer.status() >= 200) {
                return answer;
            }
        }
    }

    private static void isAnError(RawClient.Answer answer) throws IOException {
        JsonNode error = MAPPER.readTree(answer.body()).path("error");
        assertThat(error.path("message").asText()).isNotBlank();
        assertThat(error.path("type").asText()).isNotBlank();
        assertThat(answer.hasHeader("content-type: application/json")).isTrue();
    }

    private void babble(Plan plan) throws IOException {
        SplittableRandom random = new SplittableRandom(plan.cuts());
        List<byte[]> requests = new ArrayList<>();
        for (Spec spec : plan.specs()) {
            Behaviour behaviour = spec.behaviour() == Behaviour.BREAKS_OFF ? Behaviour.JSON : spec.behaviour();
            FuzzedRequest request = FuzzedRequest.of("0", spec.kind(), behaviour, new SplittableRandom(spec.seed()));
            if (!request.toHead()) { // whether an answer has a body must be known to read it
                requests.add(request.mutated(random));
            }
        }
        try (RawClient client = new RawClient(proxy.port())) {
            Future<Void> sending = CLIENTS.submit(() -> send(client, requests, random));
            if (plan.leaves()) {
                return;
            }
            CLIENTS.submit(() -> endWhenQuiet(client, sending));
            while (true) {
                RawClient.Answer answer;
                try {
                    answer = next(client, false);
                } catch (EOFException e) {
                    assertThat(e).hasMessageEndingWith("answer: "); // at the end, not in the middle
                    break;
                }
                assertThat(answer.status()).isBetween(200, 599);
            }
        }
    }

    /** Says that nothing more will come, so that a router that waits for the rest of a request need not. */
    private static Void endWhenQuiet(RawClient client, Future<Void> sending) throws Exception {
        sending.get();
        client.send("GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(10))
                .until(client::quiet);
        client.shutdownOutput();
        return null;
    }
}

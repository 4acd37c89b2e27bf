package dev.warmroute.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.replica.ReplicaOptions;
import dev.warmroute.simulator.replica.StandInReplica;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AgentLoadTest {
    private static final AgentLoadOptions SMALL = AgentLoadOptions.defaults()
            .withShape(64, 96, 32, 3, 20)
            .withGap(1)
            .withTime(3_000, 50)
            .withSessions(3)
            .withRounds(1);

    @Test
    void everyTurnFindsTheOneBeforeItInTheCache() {
        try (StandInReplica replica =
                StandInReplica.start(ReplicaOptions.defaults().withPort(0).withSpeed(50))) {
            AgentLoadResult result = AgentLoad.run(SMALL.withEndpoint(replica.url()));
            AgentLoadSummary summary = result.summary();
            assertThat(summary.failures()).as(summary.firstError()).isZero();
            assertThat(summary.sessionsFinished()).isEqualTo(3);
            assertThat(summary.sessionsUnfinished()).isZero();
            assertThat(summary.requests()).isEqualTo(9);
            assertThat(summary.outputTokensPerMinute())
                    .isCloseTo(summary.outputTokens() * 60 / summary.seconds(), within(1e-9));
            result.requests().stream()
                    .collect(Collectors.groupingBy(RequestOutcome::session))
                    .values()
                    .forEach(AgentLoadTest::checkSession);
            assertThat(result.requests().stream()
                            .mapToLong(RequestOutcome::completionTokens)
                            .sum())
                    .isEqualTo(summary.outputTokens());
            double ttfb = summary.ttfbP50().orElseThrow();
            assertThat(summary.wall(ttfb)).isCloseTo(ttfb / 50, within(1e-12));
        }
    }

    private static void checkSession(List<RequestOutcome> session) {
        List<RequestOutcome> turns = session.stream()
                .sorted(Comparator.comparingInt(RequestOutcome::turn))
                .toList();
        for (int i = 0; i < turns.size(); i++) {
            RequestOutcome turn = turns.get(i);
            SessionScript script = new SessionScript(SMALL, turn.slot(), number(turn.session()));
            assertThat(turn.turn()).isEqualTo(i + 1);
            assertThat(turn.completionTokens()).isEqualTo(script.outputTokens(i + 1));
            assertThat(turn.firstByteNanos()).isBetween(turn.sentNanos(), turn.lastByteNanos());
            if (i == 0) {
                assertThat(turn.promptTokens()).isEqualTo(64 + 3 + 96 + 3 + 2);
            } else {
                RequestOutcome before = turns.get(i - 1);
                int known = before.promptTokens() + before.completionTokens();
                assertThat(turn.promptTokens()).isEqualTo(known + 1 + 32 + 3 + 2);
                assertThat(turn.cachedTokens()).isEqualTo((known - 1) / 16 * 16);
            }
        }
    }

    private static int number(String session) {
        return Integer.parseInt(session.substring(session.lastIndexOf('-') + 1));
    }

    @Test
    void theHistoryIsSentBackAsItCameUnderTheSessionsHeader() throws IOException {
        ConcurrentLinkedQueue<String> bodies = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> sessions = new ConcurrentLinkedQueue<>();
        HttpServer server = server(exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            sessions.add(exchange.getRequestHeaders().getFirst("x-session-id"));
            answer(
                    exchange,
                    200,
                    "data: {\"choices\":[{\"delta\":{\"content\":\" a \\\"quoted\\\" answer\\n\"}}]}\n\n"
                            + "data: [DONE]\n\n");
        });
        try {
            AgentLoad.run(
                    SMALL.withEndpoint(url(server) + "/v1/").withSessions(1).withShape(2, 2, 2, 3, 5));
            List<String> sent = List.copyOf(bodies);
            assertThat(sent).hasSize(3);
            String first = sent.get(0).substring(0, sent.get(0).indexOf("],\"max_tokens\""));
            assertThat(sent.get(1))
                    .startsWith(
                            first
                                    + ",{\"role\":\"assistant\",\"content\":\" a \\\"quoted\\\" answer\\n\"},{\"role\":\"user\"");
            assertThat(sessions).containsOnly("load-1-0-0");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServerThatRefusesEverythingIsReportedAndNotHammered() throws IOException {
        HttpServer server = server(exchange -> answer(exchange, 529, "{\"error\":\"overloaded\"}"));
        try {
            AgentLoadResult result =
                    AgentLoad.run(SMALL.withEndpoint(url(server)).withGap(0).withRounds(4));
            assertThat(result.summary().failures()).isEqualTo(3 * 4);
            assertThat(result.summary().sessionsFailed()).isEqualTo(3 * 4);
            // After each failure but the last a model second passes, even without pauses.
            assertThat(result.summary().seconds()).isGreaterThan(3);
            assertThat(result.summary().firstError()).isEqualTo("status 529: {\"error\":\"overloaded\"}");
            assertThat(result.summary().hitPercent()).isEmpty();
            assertThat(result.summary().ttfbP50()).isEmpty();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void nobodyListeningIsAFailureOfEachRequest() {
        AgentLoadResult result = AgentLoad.run(SMALL.withEndpoint("http://127.0.0.1:1"));
        assertThat(result.summary().failures())
                .isEqualTo(3)
                .isEqualTo(result.summary().requests());
        assertThat(result.summary().firstError()).contains("onnect");
    }

    @Test
    void whatIsNotAnsweredWhenTheRunEndsIsCutOffAndCountedAsUnfinished() {
        ReplicaOptions frozen = ReplicaOptions.defaults().withPort(0).withSpeed(0.001);
        try (StandInReplica replica = StandInReplica.start(frozen)) {
            AgentLoadOptions options = new AgentLoadOptions(
                    replica.url(),
                    "stand-in",
                    2,
                    4,
                    4,
                    4,
                    2,
                    0,
                    8,
                    1,
                    0,
                    100,
                    5,
                    50,
                    1,
                    "arm",
                    "x-session-id",
                    "",
                    true);
            AgentLoadResult result = AgentLoad.run(options);
            assertThat(result.requests()).hasSize(2).allMatch(r -> r.error().startsWith("cut off"));
            assertThat(result.summary().sessionsFinished()).isZero();
            assertThat(result.summary().sessionsUnfinished()).isEqualTo(2);
            assertThat(result.summary().sessionP50().orElseThrow()).isGreaterThan(4.9);
        }
    }

    @Test
    void aWrongOptionIsNamed() {
        assertThatThrownBy(() -> SMALL.withEndpoint("localhost:8080"))
                .isInstanceOf(UserError.class)
                .hasMessage("endpoint localhost:8080: expected http://host:port or https://host:port");
        assertThatThrownBy(() -> SMALL.withSessions(0))
                .isInstanceOf(UserError.class)
                .hasMessage("--sessions 0: expected at least 1");
    }

    private interface Answering {
        void answer(HttpExchange exchange) throws IOException;
    }

    private static HttpServer server(Answering answering) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/chat/completions", exchange -> {
            try (exchange) {
                answering.answer(exchange);
            }
        });
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }
}

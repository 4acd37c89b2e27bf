package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.session.Salt;
import dev.warmroute.simulator.replica.ReplicaOptions;
import dev.warmroute.simulator.replica.StandInReplica;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A replica is killed in the middle of its answers, and comes back. */
class ReplicaKilledDrillTest {
    private static final Pattern STARTED = Pattern.compile("on http://127\\.0\\.0\\.1:(\\d+):");
    private static final String CHAT = "/v1/chat/completions";
    private static final String DATA = "data: ";
    private static final List<String> SESSIONS = Drill.sessions(8);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Event> events = new CopyOnWriteArrayList<>();

    @Test
    void itsAnswersEndWithAnErrorAndItsConversationsMoveOnce() throws Exception {
        CliProcess killed = replica(0);
        int port = killed.number(1);
        try (StandInReplica alive =
                        StandInReplica.start(ReplicaOptions.defaults().withPort(0));
                RouterServer router = router("http://127.0.0.1:" + port, alive.url())) {
            SESSIONS.forEach(s -> assertThat(turn(router, s)).isEqualTo(200));
            Map<String, String> homes = homes();
            List<String> there = SESSIONS.stream()
                    .filter(s -> homes.get(key(s)).equals("r0"))
                    .toList();
            assertThat(there).hasSize(4);

            List<BufferedReader> streams = new ArrayList<>();
            for (String session : there) {
                streams.add(begin(router, session));
            }
            killed.kill();
            for (BufferedReader stream : streams) {
                assertThat(lastEvent(stream).path("error").path("message").asText())
                        .contains("in the middle of its answer");
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> all(RequestCompleted.class).size() == SESSIONS.size() + there.size());
            assertThat(all(RequestCompleted.class).stream().filter(c -> c.endedBy() == EndedBy.REPLICA))
                    .hasSize(there.size());

            for (int n = 0; n < 2; n++) {
                SESSIONS.forEach(s -> assertThat(turn(router, s)).isEqualTo(200));
            }
            assertThat(homes().values()).containsOnly("r1");
            killed = replica(port);
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            router.status().models().get(0).replicas().get(0).eligible());
            SESSIONS.forEach(s -> assertThat(turn(router, s)).isEqualTo(200));
            assertThat(homes().values()).as("who has moved stays there").containsOnly("r1");

            Map<String, Integer> moves = new TreeMap<>();
            for (RoutingDecision d : all(RoutingDecision.class)) {
                if (d.homeBefore().isPresent() && !d.homeBefore().equals(d.homeAfter())) {
                    moves.merge(d.session().key(), 1, Integer::sum);
                }
            }
            assertThat(moves)
                    .hasSize(there.size())
                    .allSatisfy((session, n) -> assertThat(n).isEqualTo(1));
            assertThat(router.status().models().get(0).replicas()).allMatch(r -> r.inFlight() == 0);
        } finally {
            killed.close();
        }
    }

    private static CliProcess replica(int port) {
        return CliProcess.start(STARTED, "replica", "--port", Integer.toString(port));
    }

    private RouterServer router(String... urls) {
        StringBuilder yaml =
                new StringBuilder("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\nmodels:\n  - name: stand-in\n"
                        + "    policy: warden\n    replicas:\n");
        for (int i = 0; i < urls.length; i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: '")
                    .append(urls[i])
                    .append("'}\n");
        }
        return RouterServer.start(
                RouterConfig.parse("the drill's router.yaml", yaml.toString()),
                RouterServices.of(e -> events.add(e.apply(new RouterIdentity("drill", 0, 0))), new Salt(new byte[32])));
    }

    private static String key(String session) {
        return new Salt(new byte[32]).hash("session", "", session);
    }

    private <T extends Event> List<T> all(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Where each conversation is at home after its latest decision. */
    private Map<String, String> homes() {
        Map<String, String> homes = new TreeMap<>();
        all(RoutingDecision.class)
                .forEach(d -> homes.put(d.session().key(), d.homeAfter().orElse("")));
        return homes;
    }

    private static String body(String session, boolean stream) {
        return "{\"model\":\"stand-in\",\"stream\":" + stream + ",\"ignore_eos\":true,\"max_tokens\":"
                + (stream ? 4_000 : 2) + ",\"messages\":[{\"role\":\"user\",\"content\":\"" + session + "\"}]}";
    }

    private int turn(RouterServer router, String session) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + CHAT))
                    .header("x-session-id", session)
                    .POST(BodyPublishers.ofString(body(session, false)))
                    .build();
            return http.send(request, BodyHandlers.ofString()).statusCode();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Begins an answer that would take a minute, and waits for its first event. Every byte is seen, also before a broken end. */
    private static BufferedReader begin(RouterServer router, String session) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), router.port());
        socket.setSoTimeout(30_000);
        String body = body(session, true);
        socket.getOutputStream()
                .write(("POST " + CHAT + " HTTP/1.1\r\nhost: router\r\nx-session-id: " + session
                                + "\r\ncontent-length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
        while (!lines.readLine().startsWith(DATA)) {
            // head and framing
        }
        return lines;
    }

    /** The last event of an answer that must not end cleanly: neither its events nor its chunks. */
    private static JsonNode lastEvent(BufferedReader lines) throws IOException {
        List<String> seen = new ArrayList<>();
        try (lines) {
            String line;
            while ((line = lines.readLine()) != null) {
                seen.add(line);
            }
        } catch (SocketException e) {
            // reset: not a clean end either
        }
        assertThat(seen).doesNotContain("0", DATA + "[DONE]");
        return MAPPER.readTree(
                seen.stream().filter(l -> l.startsWith(DATA)).toList().getLast().substring(DATA.length()));
    }
}

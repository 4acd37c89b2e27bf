package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.ControlEvent.ReplicaDown;
import dev.warmroute.router.event.Event;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whatever clients send and whatever goes wrong with it, what is theirs stands in no log, event, figure or page. */
class NothingIsGivenAwayTest {
    private static final String CHAT = "/v1/chat/completions";

    /** Every place for an id, a key or a text; all of them begin with {@code raw-}. */
    private static final String BODY =
            "{\"model\":\"m\",\"user\":\"raw-user-12345678\",\"prompt_cache_key\":\"raw-cache-key\","
                    + "\"session_id\":\"raw-session\",\"metadata\":{\"user_id\":\"{\\\"session_id\\\":\\\"raw-claude\\\",\\\"device_id\\\":\\\"raw-device\\\"}\"},"
                    + "\"cache_salt\":\"raw-salt\",\"messages\":[{\"role\":\"user\",\"content\":\"raw-text\"}]}";

    private static final String[] HEADERS = {
        "X-Session-Id: raw-header",
        "x-claude-code-agent-id: raw-agent",
        "x-claude-code-parent-agent-id: raw-parent",
        "Authorization: Bearer raw-key",
        "x-api-key: raw-key",
        "Cookie: raw-cookie",
        "x-codex-turn-metadata: {\"session_id\":\"raw-turn\"}"
    };

    @Test
    void nothingOfAClientsIsInLogsEventsFiguresOrPages() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger own = (Logger) LoggerFactory.getLogger("dev.warmroute");
        Level before = own.getLevel();
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        root.addAppender(logged);
        own.setLevel(Level.TRACE);
        ScriptedReplica dead = new ScriptedReplica((request, connection) -> {});
        dead.close();
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    if (request.text().contains("raw-fails")) {
                        connection.send("HTTP/1.1 raw-answer\r\n\r\n");
                    } else {
                        ScriptedReplica.json(200, "{\"id\":\"resp_raw-id\",\"error\":\"raw-text\"}")
                                .answer(request, connection);
                    }
                });
                RunningRouter router = RunningRouter.fromYaml(
                        "listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0', token: raw-token}\nmodels:\n"
                                + "  - {name: m, replicas: [{id: r0, url: '" + dead.url()
                                + "', api_key: raw-replica-key}, {id: r1, url: '"
                                + replica.url() + "', api_key: raw-replica-key}]}\n")) {
            try (RawClient client = router.client()) {
                client.post(CHAT, BODY, HEADERS);
                client.answer();
                client.post(CHAT, BODY.replace("raw-text", "raw-fails"), HEADERS);
                client.answer();
                client.post("/v1/responses", BODY.replace("messages", "input"), HEADERS);
                client.answer();
                client.post("/raw-path", BODY.replace("\"m\"", "\"raw-model\""), HEADERS);
                client.answer();
                for (int i = 0; i < 30 && router.sink().all(ReplicaDown.class).isEmpty(); i++) {
                    client.post(CHAT, BODY, "X-Session-Id: raw-other" + i); // some of them find the dead replica first
                    client.answer();
                }
                assertThat(router.sink().all(ReplicaDown.class)).isNotEmpty();
                client.send("GET /v1/responses/resp_raw-id HTTP/1.1\r\nHost: x\r\n\r\n");
                client.answer();
            }
            for (String wrong : new String[] {
                "raw-method / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nraw-name\r\n\r\n", "raw-junk\u0000\r\n\r\n"
            }) {
                try (RawClient client = router.client()) {
                    client.send(wrong);
                    client.answer();
                }
            }
            try (RawClient client = router.client()) {
                client.post(CHAT, BODY.substring(0, 100), HEADERS); // and leaves
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> router.sink().all(Event.class).size() >= 7);
            StringBuilder shown =
                    new StringBuilder(router.sink().all(Event.class).toString());
            for (String page : new String[] {
                "/warmroute/status",
                "/metrics",
                "/warmroute/decisions",
                "/warmroute/tokens",
                "/warmroute/",
                "/warmroute/policies",
                "/ready",
                "/warmroute/raw-page"
            }) {
                shown.append(get(router, page));
            }
            shown.append(logged.list.stream()
                    .map(l -> l + " " + l.getThrowableProxy())
                    .collect(Collectors.joining("\n")));
            assertThat(shown.toString()).contains("r1").doesNotContain("raw-");
        } finally {
            own.setLevel(before);
            root.detachAppender(logged);
        }
    }

    private static String get(RunningRouter router, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + router.server().adminPort() + path);
            return http.send(
                            HttpRequest.newBuilder(uri)
                                    .header("authorization", "Bearer raw-guess")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body()
                    .replace("/warmroute/raw-page", "");
        }
    }

    @Test
    void nobodyElsesMachineIsListenedToUnlessTheOperatorSaysSo() throws Exception {
        RouterConfig config =
                RouterConfig.parse("test", "models: [{name: m, replicas: [{id: r0, url: 'http://127.0.0.1:1'}]}]");
        assertThat(InetAddress.getByName(config.listen().host()).isLoopbackAddress())
                .isTrue();
        assertThat(InetAddress.getByName(config.admin().listen().host()).isLoopbackAddress())
                .isTrue();
        Optional<InetAddress> outside = NetworkInterface.networkInterfaces()
                .flatMap(i -> Collections.list(i.getInetAddresses()).stream())
                .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
                .findFirst();
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                RunningRouter router = RunningRouter.inFrontOf(replica)) {
            if (outside.isPresent()) {
                for (int port :
                        new int[] {router.server().port(), router.server().adminPort()}) {
                    assertThat(reaches(new InetSocketAddress(outside.get(), port)))
                            .isFalse();
                }
            }
        }
    }

    private static boolean reaches(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, 2_000);
            return true;
        } catch (java.io.IOException e) {
            return false;
        }
    }
}

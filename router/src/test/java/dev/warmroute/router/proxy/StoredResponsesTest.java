package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.session.Salt;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredResponsesTest {
    private static final String RESPONSES = "/v1/responses";
    private static final String PLAIN = "{\"model\":\"m\",\"input\":\"a\"}";
    private static final String STREAMED = "{\"model\":\"m\",\"stream\":true,\"input\":\"a\"}";

    /** An engine that keeps its responses as vLLM does: in its own memory. */
    private static final class Engine implements AutoCloseable {
        private final String name;
        private final Set<String> stored = ConcurrentHashMap.newKeySet();
        private final AtomicInteger next = new AtomicInteger();
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final ScriptedReplica replica;

        Engine(String name) {
            this.name = name;
            this.replica = new ScriptedReplica(this::answer);
        }

        private void answer(ScriptedReplica.Request request, ScriptedReplica.Connection connection) throws IOException {
            String[] line = request.firstLine().split(" ");
            asked.add(line[0] + ' ' + line[1]);
            if (!line[1].equals(RESPONSES)) {
                String id = line[1].substring(RESPONSES.length() + 1).replaceFirst("[/?].*", "");
                boolean here = stored.contains(id);
                ScriptedReplica.json(
                                here ? 200 : 404,
                                here
                                        ? "{\"id\":\"" + id + "\",\"by\":\"" + name + "\"}"
                                        : "{\"error\":{\"message\":\"not found\"}}")
                        .answer(request, connection);
                return;
            }
            String previous = request.text().replaceFirst("(?s).*\"previous_response_id\":\"([^\"]*)\".*", "$1");
            if (previous.length() < request.text().length() && !stored.contains(previous)) {
                ScriptedReplica.json(404, "{\"error\":{\"message\":\"not found\"}}")
                        .answer(request, connection);
                return;
            }
            String id = "resp_" + name + next.incrementAndGet();
            stored.add(id);
            if (request.text().contains("\"stream\":true")) {
                connection.send(ScriptedReplica.STREAM_HEAD);
                connection.chunk("event: response.created\ndata: {\"type\":\"response.created\",\"respon");
                connection.chunk("se\":{\"id\":\"" + id + "\",\"status\":\"in_progress\"}}\n\n");
                connection.awaitGone(); // it is still being made
            } else {
                ScriptedReplica.json(200, "{\"id\":\"" + id + "\",\"object\":\"response\",\"by\":\"" + name + "\"}")
                        .answer(request, connection);
            }
        }

        @Override
        public void close() {
            replica.close();
        }
    }

    private static String create(RawClient client, String body, String... headers) throws IOException {
        client.post(RESPONSES, body, headers);
        return id(client.answer().text());
    }

    private static String id(String text) {
        return text.replaceFirst("(?s).*\"id\":\"([^\"]*)\".*", "$1");
    }

    private static RawClient.Answer ask(RawClient client, String line) throws IOException {
        return client.send(line + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
                .answer();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v1/responses/ID",
                "GET /v1/responses/ID?stream=true&starting_after=3",
                "POST /v1/responses/ID/cancel",
                "GET /v1/responses/ID/input_items",
                "DELETE /v1/responses/ID"
            })
    void whatIsAskedOfAResponseGoesToWhoHoldsIt(String line) throws Exception {
        try (Engine a = new Engine("a");
                Engine b = new Engine("b");
                RunningRouter router = RunningRouter.inFrontOf(a.replica, b.replica);
                RawClient client = router.client()) {
            for (int i = 0; i < 6; i++) {
                String id = create(client, PLAIN, "x-session-id: s" + i);
                RawClient.Answer answer = ask(client, line.replace("ID", id));
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).contains("\"id\":\"" + id + "\"");
            }
            assertThat(a.stored).isNotEmpty();
            assertThat(b.stored).isNotEmpty();
            assertThat(a.asked.size() + b.asked.size())
                    .as("nobody else was asked")
                    .isEqualTo(12);
            assertThat(router.completed(6)).hasSize(6);
            assertThat(router.decisions())
                    .as("a response is where it is: there is nothing to decide")
                    .hasSize(6);
        }
    }

    @Test
    void aResponseThatIsStillBeingStreamedIsFound() throws Exception {
        try (Engine a = new Engine("a");
                Engine b = new Engine("b");
                RunningRouter router = RunningRouter.inFrontOf(a.replica, b.replica)) {
            for (int i = 0; i < 4; i++) {
                try (RawClient streaming = router.client();
                        RawClient other = router.client()) {
                    streaming.post(RESPONSES, STREAMED, "x-session-id: s" + i);
                    streaming.head();
                    String line;
                    do {
                        line = streaming.line();
                    } while (!line.contains("\"id\""));
                    assertThat(ask(other, "POST /v1/responses/" + id(line) + "/cancel")
                                    .status())
                            .isEqualTo(200);
                }
            }
            assertThat(a.stored).isNotEmpty();
            assertThat(b.stored).isNotEmpty();
            router.completed(4);
        }
    }

    @ParameterizedTest
    @CsvSource({"''", "x-session-id: s"})
    void aRequestGoesOnWhereThePreviousResponseIs(String header) throws Exception {
        try (Engine a = new Engine("a");
                Engine b = new Engine("b");
                RunningRouter router = RunningRouter.inFrontOf(a.replica, b.replica);
                RawClient client = router.client()) {
            String[] headers = header.isEmpty() ? new String[0] : new String[] {header};
            for (int i = 0; i < 4; i++) {
                String first = create(client, PLAIN, "x-session-id: first" + i);
                String second = create(
                        client,
                        "{\"model\":\"m\",\"input\":\"more\",\"previous_response_id\":\"" + first + "\"}",
                        headers);
                assertThat(second.replaceAll("\\d", "")).isEqualTo(first.replaceAll("\\d", ""));
            }
            router.completed(8);
            List<RoutingDecision> next = router.decisions().stream()
                    .filter(d -> d.kind() == Kind.PINNED)
                    .toList();
            assertThat(next)
                    .hasSize(4)
                    .allMatch(d -> d.session().source().equals(header.isEmpty() ? "none" : "x-session-id"));
            assertThat(router.sink().all(Event.class).toString()).doesNotContain("resp_");
        }
    }

    /** Another router saw it, or this one before it was started again. */
    @Test
    void aResponseThatIsNotRememberedIsAskedFor() throws Exception {
        try (Engine a = new Engine("a");
                Engine b = new Engine("b");
                RunningRouter router = RunningRouter.inFrontOf(a.replica, b.replica);
                RawClient client = router.client()) {
            b.stored.add("resp_old");
            for (int i = 0; i < 2; i++) {
                RawClient.Answer answer = ask(client, "GET /v1/responses/resp_old");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).contains("\"by\":\"b\"");
            }
            assertThat(a.asked).as("remembered from then on").containsExactly("GET /v1/responses/resp_old");
            a.stored.add("resp_older");
            create(client, "{\"model\":\"m\",\"input\":\"more\",\"previous_response_id\":\"resp_older\"}");
            assertThat(router.completed(1).get(0).replica()).contains("r0");
            assertThat(ask(client, "GET /v1/responses/resp_nobodys").status()).isEqualTo(404);
            client.post(RESPONSES, "{\"model\":\"m\",\"input\":\"more\",\"previous_response_id\":\"resp_nobodys\"}");
            assertThat(client.answer().status()).isEqualTo(404);
        }
    }

    @Test
    void itIsAskedForBelowTheReplicasPathWithItsOwnKeyOrTheClients() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(404, "{}"));
                ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(404, "{}"));
                RunningRouter router =
                        RunningRouter.fromYaml("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\nmodels:\n"
                                + "  - {name: m, replicas: [{id: r0, url: '" + a.url()
                                + "/base/', api_key: s3cret}, {id: r1, url: '" + b.url() + "'}]}\n");
                RawClient client = router.client()) {
            client.send("GET /v1/responses/resp_x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer mine\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(404);
            ScriptedReplica.Request atA = a.take();
            assertThat(atA.firstLine()).isEqualTo("GET /base/v1/responses/resp_x HTTP/1.1");
            assertThat(atA.hasHeader("authorization: Bearer s3cret")).isTrue();
            assertThat(b.take().hasHeader("authorization: Bearer mine")).isTrue();
        }
    }

    @Test
    void aHolderThatIsGoneIsSaidToBe() throws Exception {
        try (Engine a = new Engine("a");
                RunningRouter router =
                        RunningRouter.inFrontOf(a.replica, new ScriptedReplica((request, connection) -> {}));
                RawClient client = router.client()) {
            String id = create(client, PLAIN);
            assertThat(id).startsWith("resp_a");
            a.replica.close();
            RawClient.Answer answer = ask(client, "GET /v1/responses/" + id);
            assertThat(answer.status()).isBetween(502, 503); // the replica may have accepted a last connection
            assertThat(answer.text()).contains("replica r0");
        }
    }

    private static long used(UnpooledByteBufAllocator buffers) {
        return buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory();
    }

    @Test
    void aClientThatLeavesWhileAResponseIsLookedForLeavesNothingBehind() throws Exception {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        MemorySink sink = new MemorySink();
        CountDownLatch left = new CountDownLatch(1);
        ScriptedReplica.Script unknown = (request, connection) -> {
            try {
                left.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            ScriptedReplica.json(404, "{}").answer(request, connection);
        };
        try (ScriptedReplica a = new ScriptedReplica(unknown);
                ScriptedReplica b = new ScriptedReplica(unknown);
                ProxyServer proxy = new ProxyServer(
                        RouterConfig.parse(
                                "test",
                                "models: [{name: m, replicas: [{id: r0, url: '" + a.url() + "'}, {id: r1, url: '"
                                        + b.url() + "'}]}]"),
                        RouterServices.of(sink, new Salt(new byte[32])).withEventLoops(1),
                        Transport.of(Epoll.isAvailable(), buffers))) {
            proxy.listen(new Address("127.0.0.1", 0));
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
            socket.setSoLinger(true, 0); // leaves with a reset: one that only ends its side may still listen
            try (RawClient client = new RawClient(socket)) {
                client.post("/v1/responses/resp_x/cancel", "body");
                a.take();
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> proxy.status().totals().connections() == 0);
            assertThat(used(buffers))
                    .as("the body, for whoever holds the response")
                    .isPositive();
            left.countDown();
            await().atMost(Duration.ofSeconds(10)).until(() -> used(buffers) == 0);
            assertThat(sink.all(RoutingDecision.class)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/responses, ''",
        "/v1/responses/, ''",
        "/v1/responses/resp_1, resp_1",
        "/v1/responses/resp_1/cancel, resp_1",
        "/v1/responses/resp_1/input_items, resp_1",
        "/v1/responses/render, ''",
        "/v1/responses/../metrics, ''",
        "/v1/responses/a%2Fb, ''",
        "/v1/chat/completions, ''"
    })
    void thePathNamesTheResponse(String path, String id) {
        assertThat(StoredResponses.idIn(path)).isEqualTo(id);
    }
}

package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceptionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String CHAT = "/v1/chat/completions";
    private static final String OK = "{\"ok\":true}";

    private static String twoModels(ScriptedReplica a, ScriptedReplica b) {
        return "listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\nmodels:\n"
                + "  - {name: a, replicas: [{id: a0, url: '" + a.url() + "/base/'}]}\n"
                + "  - {name: org/b, replicas: [{id: b0, url: '" + b.url() + "', api_key: s3cret}]}\n";
    }

    @Test
    void theModelInTheBodyChoosesTheReplicas() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK));
                ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.fromYaml(twoModels(a, b));
                RawClient client = router.client()) {
            client.post(
                    "/some/new/path",
                    "{\"x\":{\"model\":\"a\"},\"model\":\"org/b\"}",
                    "Authorization: Bearer mine",
                    "X-Api-Key: mine");
            assertThat(client.answer().text()).isEqualTo(OK);
            ScriptedReplica.Request atB = b.take();
            assertThat(atB.hasHeader("authorization: Bearer s3cret")).isTrue();
            assertThat(atB.head()).doesNotContain("mine");
            client.post(CHAT, "{\"model\":\"a\"}", "Authorization: Bearer mine");
            assertThat(client.answer().text()).isEqualTo(OK);
            ScriptedReplica.Request atA = a.take();
            assertThat(atA.firstLine()).isEqualTo("POST /base" + CHAT + " HTTP/1.1");
            assertThat(atA.hasHeader("authorization: Bearer mine")).isTrue();
            client.post(CHAT, "{}");
            assertThat(client.answer().text()).isEqualTo(OK);
            a.take();
            router.completed(3);
        }
    }

    @Test
    void anUnknownModelIsRefusedInTheClientsDialectWithTheValidNames() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(a);
                RawClient client = router.client()) {
            client.post(CHAT, "{\"model\":\"gpt-4\\\"\"}");
            RawClient.Answer openAi = client.answer();
            assertThat(openAi.status()).isEqualTo(404);
            JsonNode error = MAPPER.readTree(openAi.text()).path("error");
            assertThat(error.path("message").asText()).isEqualTo("the model 'gpt-4\"' does not exist; valid models: m");
            assertThat(error.path("type").asText()).isEqualTo("NotFoundError");
            assertThat(error.path("param").asText()).isEqualTo("model");
            assertThat(error.path("code").asInt()).isEqualTo(404);
            client.post("/v1/messages?beta=true", "{\"model\":\"claude\"}");
            RawClient.Answer anthropic = client.answer();
            assertThat(anthropic.status()).isEqualTo(404);
            assertThat(MAPPER.readTree(anthropic.text())
                            .path("error")
                            .path("type")
                            .asText())
                    .isEqualTo("not_found_error");
            client.post("/nothing/there", "");
            assertThat(client.answer().status()).isEqualTo(404);
            assertThat(a.requestsWaiting()).isZero();
            assertThat(router.sink().all(RequestCompleted.class)).isEmpty();
        }
    }

    @Test
    void theListOfModelsOutlivesTheReplicas() throws Exception {
        ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK))
                .models("{\"data\":[{\"id\":\"adapter\",\"parent\":\"a\"},{\"id\":\"a\",\"max_model_len\":8192}]}");
        ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(200, OK));
        try (RunningRouter router = RunningRouter.fromYaml(twoModels(a, b))) {
            try (RawClient client = router.client()) {
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> models(client).path(0).has("max_model_len"));
                a.close();
                b.close();
                JsonNode models = models(client);
                assertThat(models.findValuesAsText("id")).containsExactly("a", "org/b", "adapter");
                assertThat(models.path(0).path("max_model_len").asInt()).isEqualTo(8192);
                client.send("GET /v1/models/org/b HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(MAPPER.readTree(client.answer().text())
                                .path("object")
                                .asText())
                        .isEqualTo("model");
                client.send("GET /v1/models/c HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(client.answer().status()).isEqualTo(404);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "%", "m%2", "%-1"})
    void aNameThatIsNoEscapedTextIsNobodys(String name) throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(a);
                RawClient client = router.client()) {
            client.send("GET /v1/models/" + name + " HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("the model '" + name + "' does not exist; valid models: m");
            client.send("GET /v1/models/%6D HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.answer().status()).as("the connection goes on").isEqualTo(200);
        }
    }

    @Test
    void whatAReplicaServesUnderAnotherNameIsFoundThere() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK));
                ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(200, OK))
                        .models(
                                "{\"data\":[{\"id\":\"org/b\"},{\"id\":\"adapter\",\"parent\":\"org/b\"},{\"id\":\"a\"},{\"id\":\"\"},{}]}");
                RunningRouter router = RunningRouter.fromYaml(twoModels(a, b));
                RawClient client = router.client()) {
            await().atMost(Duration.ofSeconds(10)).until(() -> models(client).size() == 3);
            client.post(CHAT, "{\"model\":\"adapter\"}");
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(b.take().text()).isEqualTo("{\"model\":\"adapter\"}");
            client.post(CHAT, "{\"model\":\"a\"}");
            assertThat(client.answer().status()).isEqualTo(200);
            a.take();
            client.send("GET /v1/models/adapter HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(MAPPER.readTree(client.answer().text()).path("parent").asText())
                    .isEqualTo("org/b");
        }
    }

    @Test
    void probesAreAnsweredWhetherReplicasAreUpOrNot() throws Exception {
        ScriptedReplica down = new ScriptedReplica(ScriptedReplica.json(200, OK));
        down.close();
        try (RunningRouter router = RunningRouter.inFrontOf(down);
                RawClient client = router.client()) {
            for (String path : new String[] {"/", "/api/hello", "/v1/models", "/api/hello?x=1"}) {
                client.send("HEAD " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(client.answer(true).status()).isEqualTo(200);
            }
        }
    }

    private static JsonNode models(RawClient client) throws Exception {
        client.send("GET /v1/models?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n");
        return MAPPER.readTree(client.answer().text()).path("data");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /version", "GET /", "HEAD /version", "OPTIONS /v1/chat/completions", "GET /load"})
    void whatNamesNoModelGoesToAnyHealthyReplicaAndIsNotRouted(String request) throws Exception {
        try (ScriptedReplica a =
                        new ScriptedReplica((r, c) -> c.send("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"));
                RunningRouter router = RunningRouter.inFrontOf(a);
                RawClient client = router.client()) {
            client.send(request + " HTTP/1.1\r\nHost: x\r\nX-Probe: 1\r\n\r\n");
            assertThat(client.answer(request.startsWith("HEAD")).status()).isIn(200, 404);
            assertThat(router.decisions()).isEmpty();
            assertThat(router.inFlight()).isZero();
        }
    }

    @Test
    void whatNamesNoModelFindsAnotherReplicaWhenOneIsDown() throws Exception {
        ScriptedReplica down = new ScriptedReplica(ScriptedReplica.json(200, OK));
        down.close();
        try (ScriptedReplica alive = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(down, alive);
                RawClient client = router.client()) {
            client.send("GET /load HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.answer().text()).isEqualTo(OK);
            client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aRankThatTheClientNamesIsObeyedAndAWrongOneRefused() throws Exception {
        try (ScriptedReplica engine = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router =
                        RunningRouter.fromYaml("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\nmodels:\n"
                                + "  - {name: m, replicas: [{id: d0, url: '" + engine.url()
                                + "', data_parallel_rank: 0},"
                                + "{id: d1, url: '" + engine.url() + "', data_parallel_rank: 1}]}\n");
                RawClient client = router.client()) {
            client.post(CHAT, "{\"model\":\"m\"}", "x-session-id: s", "X-Data-Parallel-Rank: 1");
            assertThat(client.answer().status()).isEqualTo(200);
            ScriptedReplica.Request sent = engine.take();
            assertThat(sent.hasHeader("x-data-parallel-rank: 1")).isTrue();
            RoutingDecision pinned = router.decisions().get(0);
            assertThat(pinned.kind()).isEqualTo(Kind.PINNED);
            assertThat(pinned.chosen()).contains("d1");
            assertThat(pinned.homeAfter()).isEmpty();
            client.post(CHAT, "{\"model\":\"m\"}", "X-Data-Parallel-Rank: 2");
            assertThat(client.answer().status()).isEqualTo(400);
            client.post(CHAT, "{\"model\":\"m\"}", "x-session-id: s");
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(engine.take().hasHeader("x-data-parallel-rank: 0")).isTrue();
        }
    }

    @Test
    void withoutRanksTheHeaderTravelsOn() throws Exception {
        try (ScriptedReplica engine = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(engine);
                RawClient client = router.client()) {
            client.post(CHAT, "{\"model\":\"m\"}", "X-Data-Parallel-Rank: 3");
            client.answer();
            assertThat(engine.take().hasHeader("x-data-parallel-rank: 3")).isTrue();
        }
    }

    /** A client that could empty a replica's cache or put it to sleep would do so to all others. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /reset_prefix_cache",
                "POST /sleep?level=1",
                "POST /%73leep",
                "POST /collective_rpc/",
                "GET /server_info",
                "POST /v1/load_lora_adapter",
                "POST http://x/pause",
                "PUT /wake_up"
            })
    void whatSteersAnEngineIsNotForClients(String request) throws Exception {
        try (ScriptedReplica engine = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(engine);
                RawClient client = router.client()) {
            client.send(request + " HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n{\"model\":\"m\"}");
            assertThat(client.answer().status()).isEqualTo(403);
            client.post(CHAT, "{\"model\":\"m\"}");
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(engine.take().firstLine()).startsWith("POST " + CHAT);
        }
    }

    @Test
    void sideCallsNeverMoveOrMakeASession() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK));
                ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(a, b);
                RawClient client = router.client()) {
            client.post("/v1/messages/count_tokens?beta=true", "{\"model\":\"m\"}", "x-claude-code-session-id: s");
            client.answer();
            client.post(
                    "/v1/messages",
                    "{\"model\":\"m\"}",
                    "x-claude-code-session-id: s",
                    "x-claude-code-request-class: auxiliary");
            client.answer();
            client.post("/v1/embeddings", "{\"model\":\"m\"}", "x-session-id: s");
            client.answer();
            client.post("/v1/chat/completions/render", "{\"model\":\"m\"}", "x-session-id: s");
            client.answer();
            // Claude Code's title and quota probe, told by what follows long after model and stream
            for (String end :
                    List.of("\"output_config\":{\"format\":{\"type\":\"json_schema\"}}", "\"max_tokens\":1")) {
                client.post(
                        "/v1/messages",
                        "{\"model\":\"m\",\"stream\":true,\"tools\":[]," + end + "}",
                        "x-claude-code-session-id: s");
                client.answer();
            }
            router.completed(6);
            assertThat(router.decisions())
                    .allMatch(
                            d -> d.kind() == Kind.BALANCED && d.session().key().isEmpty());
            assertThat(router.decisions()).allMatch(d -> d.session().parent().isPresent());
            int live = router.server().status().models().get(0).replicas().stream()
                    .mapToInt(ProxyStatus.ReplicaRow::liveSessions)
                    .sum();
            assertThat(live).isZero();
        }
    }

    @Test
    void sixtyFourNewSessionsAtOnceSpreadWithinOne() throws Exception {
        ScriptedReplica[] replicas = new ScriptedReplica[4];
        for (int i = 0; i < replicas.length; i++) {
            replicas[i] = new ScriptedReplica((request, connection) -> connection.awaitGone());
        }
        try (RunningRouter router = RunningRouter.inFrontOf(replicas)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                RawClient client = router.client();
                clients.add(client);
                client.post(CHAT, "{\"model\":\"m\"}", "x-session-id: s" + i);
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> router.decisions().size() == 64);
            for (int r = 0; r < 4; r++) {
                String id = "r" + r;
                assertThat(router.decisions().stream()
                                .filter(d -> d.chosen().equals(Optional.of(id)))
                                .count())
                        .isEqualTo(16);
            }
            for (RawClient client : clients) {
                client.close();
            }
            router.completed(64);
            await().atMost(Duration.ofSeconds(10)).until(() -> router.inFlight() == 0);
        } finally {
            for (ScriptedReplica r : replicas) {
                r.close();
            }
        }
    }

    @Test
    void noIdOrKeyOrTextOfAClientIsInAnyEvent() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, OK));
                RunningRouter router = RunningRouter.inFrontOf(a);
                RawClient client = router.client()) {
            client.post(
                    CHAT,
                    "{\"model\":\"m\",\"user\":\"raw-user-12345678\",\"messages\":[{\"role\":\"user\",\"content\":\"raw-text\"}]}",
                    "x-session-id: raw-session",
                    "x-claude-code-agent-id: raw-agent",
                    "Authorization: Bearer raw-key",
                    "Cookie: raw-cookie");
            client.answer();
            client.post(
                    CHAT,
                    "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"raw-text\"}]}",
                    "x-api-key: raw-key");
            client.answer();
            router.completed(2);
            assertThat(router.sink().all(Event.class).toString()).doesNotContain("raw-");
            assertThat(router.decisions().get(1).session().source()).isEqualTo("fingerprint");
        }
    }
}

package dev.warmroute.router.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.event.ControlEvent.PolicyChanged;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {
    private static final String FIRST = "1".repeat(64);
    private static final String SECOND = "2".repeat(64);

    private final Operator operator = new Operator(Operator.TOKEN);

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void saysWhatIsKnownAndNullForWhatIsNot() throws Exception {
        JsonNode status = Operator.json(operator.get("/warmroute/status"));
        assertThat(status.path("totals").path("accepted").asInt()).isZero();
        JsonNode model = status.path("models").path(0);
        assertThat(model.path("policy")
                        .path("config")
                        .path("overflow_threshold")
                        .asText())
                .isEqualTo("2");
        JsonNode r0 = model.path("replicas").path(0);
        assertThat(r0.path("running").asDouble()).isEqualTo(3);
        assertThat(r0.path("kv_usage").asDouble()).isEqualTo(0.5);
        JsonNode r1 = model.path("replicas").path(1);
        for (String unknown :
                List.of("running", "prefix_hits_5m", "capacity_tokens", "headroom_sessions", "ttft_p95_seconds")) {
            assertThat(r1.has(unknown)).as(unknown).isTrue();
            assertThat(r1.path(unknown).isNull()).as(unknown).isTrue();
        }
        assertThat(r1.path("computed_tokens_per_second").asInt(-1)).isZero();
        assertThat(r1.path("decisions").path("sticky").asInt(-1)).isZero();
        assertThat(Operator.json(operator.get("/v1/status")).path("instance").asText())
                .isEqualTo("router");
        assertThat(Operator.json(operator.get("/warmroute/tokens")).path("models"))
                .hasSize(2);
        assertThat(Operator.json(operator.get("/warmroute/decisions?limit=5")).path("decisions"))
                .isEmpty();
        assertThat(Operator.json(operator.get("/warmroute/policies"))
                        .path("policies")
                        .path(0)
                        .path("name")
                        .asText())
                .isEqualTo("random");
        assertThat(operator.get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    void everyFigureOfAReplicaIsInTheStatusAndAmongTheMetrics() throws Exception {
        JsonNode r0 = operator.model().path("replicas").path(0);
        String metrics = operator.get("/metrics").body();
        for (ReplicaMetric metric : ReplicaMetric.values()) {
            assertThat(metrics).contains("# TYPE " + metric.metricName() + " ");
            if (metric.statusName().isEmpty()) {
                continue;
            }
            assertThat(r0.has(metric.statusName())).as(metric.statusName()).isTrue();
            String sample = metric.metricName() + "{model=\"m \\\"quoted\\\"\",replica=\"r0\"} ";
            if (r0.path(metric.statusName()).isNull()) {
                assertThat(metrics).doesNotContain(sample);
            } else {
                assertThat(metrics).contains(sample);
            }
        }
    }

    @Test
    void metricsAreInPrometheusForm() throws Exception {
        HttpResponse<String> page = operator.get("/metrics");
        assertThat(page.headers().firstValue("content-type"))
                .hasValueSatisfying(t -> assertThat(t).startsWith("text/plain; version=0.0.4"));
        assertThat(page.body().lines().filter(l -> !l.startsWith("#")))
                .allMatch(
                        l -> l.matches(
                                "[a-z_0-9]+(\\{[a-z_]+=\"([^\"\\\\]|\\\\.)*\"(,[a-z_]+=\"([^\"\\\\]|\\\\.)*\")*})? [0-9.eE+-]+"));
        List<String> types =
                page.body().lines().filter(l -> l.startsWith("# TYPE ")).toList();
        assertThat(types).doesNotHaveDuplicates();
    }

    @Test
    void policyThresholdAndAffinityChangeWhileRunningAndAreRecorded() throws Exception {
        assertThat(operator.change("PATCH", Operator.MODEL, "{\"overflow_threshold\": 5}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(operator.model()
                        .path("policy")
                        .path("config")
                        .path("overflow_threshold")
                        .asText())
                .isEqualTo("5");

        JsonNode now = Operator.json(operator.change(
                "PATCH",
                Operator.MODEL,
                "{\"policy\": {\"name\": \"warden\", \"kv_weight\": 2}, \"by\": \"promote\", \"check_hash\": \"" + FIRST
                        + "\"}"));
        assertThat(now.path("policy").path("config").path("kv_weight").asText()).isEqualTo("2.0");
        assertThat(now.path("policy").path("config").path("overflow_threshold").asText())
                .isEqualTo("2");
        assertThat(now.path("changed").path("by").asText()).isEqualTo("promote");

        operator.change("PATCH", Operator.MODEL, "{\"affinity\": \"off\"}");
        assertThat(operator.model().path("policy").path("name").asText()).isEqualTo("least_in_flight");
        assertThat(operator.model().path("configured").path("policy").asText()).isEqualTo("warden");
        operator.change("PATCH", Operator.MODEL, "{\"affinity\": true, \"policy\": \"hash\"}");
        assertThat(operator.model().path("policy").path("name").asText()).isEqualTo("hash");
        operator.change("PATCH", Operator.MODEL, "{\"affinity\": true}");

        List<PolicyChanged> changes = operator.events().stream()
                .filter(PolicyChanged.class::isInstance)
                .map(PolicyChanged.class::cast)
                .toList();
        assertThat(changes)
                .extracting(c -> c.before().name() + "->" + c.after().name())
                .containsExactly(
                        "warden->warden", "warden->warden", "warden->least_in_flight", "least_in_flight->hash");
        assertThat(changes).extracting(PolicyChanged::by).containsExactly("admin", "promote", "admin", "admin");
        assertThat(changes.get(0).after().config()).containsEntry("overflow_threshold", "5");
        assertThat(changes.get(1).checkHash()).contains(FIRST);
        assertThat(changes.get(0).model()).isEqualTo("m \"quoted\"");
    }

    @Test
    void aChangeIsLookedAtWithoutBeingMade() throws Exception {
        JsonNode would = Operator.json(operator.change(
                "PATCH",
                Operator.MODEL + "?dry_run=true",
                "{\"policy\": {\"name\": \"warden\", \"overflow_threshold\": 5}}"));
        assertThat(would.path("policy")
                        .path("config")
                        .path("overflow_threshold")
                        .asText())
                .isEqualTo("5");
        assertThat(operator.model()
                        .path("policy")
                        .path("config")
                        .path("overflow_threshold")
                        .asText())
                .isEqualTo("2");
        assertThat(operator.model().path("changed").isNull()).isTrue();
        operator.change("PATCH", Operator.MODEL, "{\"policy\": {\"name\": \"warden\", \"overflow_threshold\": 5}}");
        assertThat(operator.model().path("policy")).as("what was foretold").isEqualTo(would.path("policy"));
    }

    @Test
    void changesAreTakenBackOneByOneWithTheHashThatBelongsToWhatIsInForceAgain() throws Exception {
        String rollback = Operator.MODEL + "/rollback";
        assertThat(operator.model().path("previous").isNull()).isTrue();
        assertThat(rollBack(inForce()).statusCode()).isEqualTo(409);
        operator.change(
                "PATCH",
                Operator.MODEL,
                "{\"policy\": \"hash\", \"by\": \"promote\", \"check_hash\": \"" + FIRST + "\"}");
        operator.change("PATCH", Operator.MODEL, "{\"policy\": \"hash\"}"); // the same again is no change
        operator.change(
                "PATCH",
                Operator.MODEL,
                "{\"policy\": \"random\", \"affinity\": false, \"by\": \"promote\", \"check_hash\": \"" + SECOND
                        + "\"}");
        assertThat(operator.model().path("previous").path("name").asText()).isEqualTo("hash");
        assertThat(operator.model().path("changed").path("check_hash").asText()).isEqualTo(SECOND);

        JsonNode back = rollBack();
        assertThat(back.path("policy").path("name").asText()).isEqualTo("hash");
        assertThat(back.path("affinity").asBoolean()).isTrue();
        assertThat(back.path("changed").path("by").asText()).isEqualTo("rollback");
        assertThat(back.path("changed").path("check_hash").asText()).isEqualTo(FIRST);
        assertThat(back.path("previous").path("name").asText())
                .as("further back, not forward")
                .isEqualTo("warden");
        assertThat(rollBack().path("policy").path("name").asText()).isEqualTo("warden");
        HttpResponse<String> none = rollBack(inForce());
        assertThat(none.statusCode()).isEqualTo(409);
        assertThat(none.body()).contains("nothing to take back");
        assertThat(operator.send("POST", rollback, "Bearer wrong", "").statusCode())
                .isEqualTo(401);

        assertThat(operator.events().stream()
                        .filter(PolicyChanged.class::isInstance)
                        .map(PolicyChanged.class::cast))
                .extracting(c -> c.by() + " " + c.before().name() + "->"
                        + c.after().name() + " " + c.checkHash().orElse("-"))
                .containsExactly(
                        "promote warden->hash " + FIRST,
                        "promote hash->random " + SECOND,
                        "rollback random->hash " + FIRST,
                        "rollback hash->warden -");
    }

    @Test
    void aChangeOfAffinityIsTakenBackBeforeThePolicyThatItWasMadeUnder() throws Exception {
        for (String policy : List.of("{\"name\": \"warden\", \"overflow_threshold\": 5}", "\"round_robin\"")) {
            JsonNode first = operator.model();
            JsonNode promoted = Operator.json(operator.change("PATCH", Operator.MODEL, "{\"policy\": " + policy + "}"));
            operator.change("PATCH", Operator.MODEL, "{\"affinity\": false}");
            assertThat(operator.model().path("affinity").asBoolean()).isFalse();
            assertThat(operator.model().path("previous").path("affinity").asBoolean())
                    .isTrue();

            JsonNode back = rollBack();
            assertThat(back.path("affinity").asBoolean()).isTrue();
            assertThat(back.path("policy")).isEqualTo(promoted.path("policy"));
            assertThat(back.path("configured")).isEqualTo(promoted.path("configured"));
            assertThat(rollBack().path("policy")).isEqualTo(first.path("policy"));
        }
        assertThat(operator.events().stream()
                        .filter(PolicyChanged.class::isInstance)
                        .map(PolicyChanged.class::cast))
                .extracting(c -> c.before().name() + "->" + c.after().name())
                .as("affinity makes no difference to round_robin")
                .containsExactly(
                        "warden->warden",
                        "warden->least_in_flight",
                        "least_in_flight->warden",
                        "warden->warden",
                        "warden->round_robin",
                        "round_robin->warden");
    }

    @Test
    void whatChangesNothingIsNoChange() throws Exception {
        operator.change("PATCH", Operator.MODEL, "{\"policy\": \"warden\", \"affinity\": true}");
        operator.change("PATCH", Operator.MODEL, "{\"overflow_threshold\": 2}"); // its default before such engines
        assertThat(operator.model().path("changed").isNull()).isTrue();
        assertThat(operator.model().path("previous").isNull()).isTrue();
    }

    private JsonNode rollBack() throws Exception {
        HttpResponse<String> answer = rollBack(inForce());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Operator.json(answer);
    }

    private HttpResponse<String> rollBack(String inForce) throws Exception {
        return operator.change("POST", Operator.MODEL + "/rollback", "{\"in_force\": \"" + inForce + "\"}");
    }

    private String inForce() throws Exception {
        return operator.model().path("in_force").asText();
    }

    @Test
    void whatWasMeantForSomethingElseThanIsInForceIsRefusedWithWhatIs() throws Exception {
        String seen = inForce();
        String meant = "{\"policy\": \"hash\", \"in_force\": \"" + seen + "\"}";
        operator.change("PATCH", Operator.MODEL, "{\"overflow_threshold\": 5}");
        for (String path : List.of(Operator.MODEL, Operator.MODEL + "?dry_run=true")) {
            HttpResponse<String> refused = operator.change("PATCH", path, meant);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
            assertThat(Operator.json(refused).path("error").path("message").asText())
                    .contains(
                            "warden decides",
                            "{overflow_threshold=5} and affinity on",
                            "in_force " + inForce(),
                            "check again");
        }
        assertThat(operator.model()
                        .path("policy")
                        .path("config")
                        .path("overflow_threshold")
                        .asText())
                .isEqualTo("5");
        assertThat(operator.change("PATCH", Operator.MODEL, meant.replace(seen, inForce()))
                        .statusCode())
                .isEqualTo(200);

        operator.change("PATCH", Operator.MODEL, "{\"affinity\": false}");
        String left = inForce();
        assertThat(rollBack(left).statusCode()).isEqualTo(200);
        JsonNode once = operator.model();
        assertThat(rollBack(left).statusCode())
                .as("the same again goes back once")
                .isEqualTo(409);
        assertThat(operator.model().path("in_force")).isEqualTo(once.path("in_force"));
        assertThat(operator.model().path("changed")).isEqualTo(once.path("changed"));
    }

    @Test
    void replicasAreAddedDrainedAndRemoved() throws Exception {
        HttpResponse<String> added = operator.change(
                "POST", Operator.MODEL + "/replicas", "{\"id\": \"r2\", \"url\": \"http://127.0.0.1:9/z\"}");
        assertThat(added.statusCode()).isEqualTo(201);
        assertThat(Operator.json(added).path("replicas")).hasSize(3);

        assertThat(Operator.json(operator.change("POST", "/warmroute/replicas/r0/drain", "{\"stay\": \"3m\"}"))
                        .path("replicas")
                        .path(0)
                        .path("draining")
                        .asBoolean())
                .isTrue();
        assertThat(operator.model().path("replicas").path(0).path("reason").asText())
                .isEqualTo("draining");
        assertThat(operator.change("POST", "/warmroute/replicas/r0/undrain", "").statusCode())
                .isEqualTo(200);
        assertThat(operator.model().path("replicas").path(0).path("draining").asBoolean())
                .isFalse();
        assertThat(operator.change("POST", "/warmroute/replicas/r0/drain", "").statusCode())
                .isEqualTo(200);

        assertThat(Operator.json(operator.change("DELETE", "/warmroute/replicas/r0", ""))
                        .path("replicas"))
                .hasSize(2);
        assertThat(operator.change("DELETE", "/warmroute/replicas/o0", "").body())
                .contains("the last one of model 'org/other'");
    }

    @Test
    void aModelWithASlashInItsNameHasAPath() throws Exception {
        assertThat(Operator.json(operator.change("PATCH", "/warmroute/models/org%2Fother", "{\"policy\": \"hash\"}"))
                        .path("name")
                        .asText())
                .isEqualTo("org/other");
    }

    @Test
    void changesNeedTheTokenAndNothingElseDoes() throws Exception {
        for (String authorization : List.of(
                "", "Bearer ", "Bearer s3cret-toke", "Basic " + Operator.TOKEN, Operator.TOKEN, "Bearer wrong")) {
            HttpResponse<String> refused =
                    operator.send("PATCH", Operator.MODEL, authorization, "{\"affinity\": false}");
            assertThat(refused.statusCode()).as(authorization).isEqualTo(401);
            assertThat(refused.headers().firstValue("www-authenticate"))
                    .hasValueSatisfying(h -> assertThat(h).startsWith("Bearer"));
            assertThat(refused.body()).doesNotContain(Operator.TOKEN);
        }
        assertThat(operator.model().path("affinity").asBoolean()).isTrue();
        assertThat(operator.send("PATCH", Operator.MODEL, "bearer  " + Operator.TOKEN, "{\"affinity\": false}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void withoutATokenInTheConfigurationChangesAreRefused() throws Exception {
        try (Operator withoutToken = new Operator("''")) {
            HttpResponse<String> refused =
                    withoutToken.send("PATCH", Operator.MODEL, "Bearer ", "{\"affinity\": false}");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("admin.token");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        assertThat(operator.change("PATCH", Operator.MODEL, " ".repeat(70_000) + "{}")
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void thePanelIsOnePageThatMayLoadNothingAndGivesNoSecretAway() throws Exception {
        HttpResponse<String> page = operator.get("/warmroute/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-security-policy"))
                .hasValueSatisfying(p -> assertThat(p)
                        .startsWith("default-src 'none'")
                        .contains("connect-src 'self'", "script-src 'sha256-"));
        assertThat(Pattern.compile("(src|href)\\s*=\\s*[\"'](?!#|data:,|status|\\.\\./metrics)")
                        .matcher(page.body())
                        .find())
                .isFalse();
        assertThat(page.body()).doesNotContain("/*STYLE*/", "/*SCRIPT*/", "innerHTML");
        HttpClient noRedirects = HttpClient.newHttpClient();
        HttpResponse<String> moved = noRedirects.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + operator.adminPort() + "/warmroute"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(moved.statusCode()).isEqualTo(308);
        for (String path : List.of("/warmroute/", "/warmroute/status", "/metrics", "/warmroute/decisions")) {
            assertThat(operator.get(path).body()).doesNotContain(Operator.TOKEN, "k3y");
        }
    }

    @Test
    void aHeadRequestHasTheLengthAndNoBody() throws Exception {
        HttpResponse<String> head = operator.send("HEAD", "/warmroute/", "", "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValueAsLong("content-length").orElseThrow())
                .isEqualTo(operator.get("/warmroute/").body().getBytes(StandardCharsets.UTF_8).length);
    }
}

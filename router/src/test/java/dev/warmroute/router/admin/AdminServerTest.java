package dev.warmroute.router.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class AdminServerTest {
    private static final String CONFIG = """
            listen: 127.0.0.1:0
            admin: {listen: '127.0.0.1:0'}
            models:
              - name: m "quoted"
                max_num_seqs: 8
                replicas: [{id: r0, url: 'http://127.0.0.1:9'}, {id: r1, url: 'http://127.0.0.1:9/x'}]
            """;

    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> get(RouterServer router, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.adminPort() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void saysWhatIsKnownAndNullForWhatIsNot() throws Exception {
        RouterServices services = RouterServices.of(EventSink.NONE, new Salt(new byte[32]))
                .withSignals((replica, now) -> replica.equals("r0") ? new Signals(3, 1, 0.5, 20) : Signals.NONE);
        try (RouterServer router = RouterServer.start(RouterConfig.parse("f", CONFIG), services)) {
            JsonNode status = new ObjectMapper().readTree(get(router, "/warmroute/status").body());
            assertThat(status.path("totals").path("accepted").asInt()).isZero();
            JsonNode model = status.path("models").path(0);
            assertThat(model.path("policy").path("config").path("overflow_threshold").asText()).isEqualTo("2");
            JsonNode r0 = model.path("replicas").path(0);
            assertThat(r0.path("running").asDouble()).isEqualTo(3);
            assertThat(r0.path("kv_usage").asDouble()).isEqualTo(0.5);
            JsonNode r1 = model.path("replicas").path(1);
            assertThat(r1.has("running")).isTrue();
            assertThat(r1.path("running").isNull()).isTrue();
            assertThat(r1.path("decisions").path("sticky").asInt()).isZero();
            assertThat(get(router, "/health").statusCode()).isEqualTo(200);
            assertThat(get(router, "/nothing").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void metricsAreInPrometheusForm() throws Exception {
        try (RouterServer router = RouterServer.start(
                RouterConfig.parse("f", CONFIG), RouterServices.of(EventSink.NONE, new Salt(new byte[32])))) {
            HttpResponse<String> page = get(router, "/metrics");
            assertThat(page.headers().firstValue("content-type")).hasValueSatisfying(t -> assertThat(t).startsWith("text/plain; version=0.0.4"));
            assertThat(page.body().lines().filter(l -> !l.startsWith("#")))
                    .allMatch(l -> l.matches("[a-z_]+(\\{[a-z_]+=\"([^\"\\\\]|\\\\.)*\"(,[a-z_]+=\"([^\"\\\\]|\\\\.)*\")*})? [0-9.eE+-]+"));
            assertThat(page.body()).contains("warmroute_replica_in_flight{model=\"m \\\"quoted\\\"\",replica=\"r0\"} 0");
            long names = page.body().lines().filter(l -> l.startsWith("# TYPE ")).count();
            assertThat(page.body().lines().filter(l -> l.startsWith("# TYPE ")).distinct().count()).isEqualTo(names);
        }
    }
}

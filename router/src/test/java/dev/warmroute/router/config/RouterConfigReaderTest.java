package dev.warmroute.router.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.router.config.RouterConfig.Fingerprint;
import dev.warmroute.router.config.RouterConfig.Warming;
import dev.warmroute.router.config.RouterConfig.Where;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RouterConfigReaderTest {
    private static final String MODEL = "models: [{name: m, replicas: [{id: r0, url: 'http://127.0.0.1:9001'}]}]\n";

    private static RouterConfig parse(String yaml) {
        return new RouterConfigReader(Map.of("TOKEN", "s3cret", "EMPTY", "")::get).parse("router.yaml", yaml);
    }

    @Test
    void everyKeyButTheModelsHasADefault() {
        RouterConfig c = parse(MODEL);
        assertThat(c.listen()).hasToString("127.0.0.1:8080");
        assertThat(c.admin().listen()).hasToString("127.0.0.1:8081");
        assertThat(c.admin().token()).isEmpty();
        assertThat(c.saltFile()).isEqualTo(Path.of("./warmroute-data/salt"));
        assertThat(c.countersInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(c.fingerprint()).isEqualTo(Fingerprint.BYTES);
        assertThat(c.kafka().embedded()).isTrue();
        assertThat(c.kafka().buffer()).isEqualTo(100_000);
        assertThat(c.limits().maxBody()).isEqualTo(32 << 20);
        assertThat(c.limits().maxHold()).isEqualTo(Duration.ofSeconds(150));
        assertThat(c.limits().firstByte()).isZero();
        assertThat(c.tls()).isEmpty();
        ModelConfig m = c.models().get(0);
        assertThat(m.policy()).isEqualTo("warden");
        assertThat(m.affinity()).isTrue();
        assertThat(m.maxNumSeqs()).isEqualTo(256);
        assertThat(m.replicas().get(0).dataParallelRank()).isEmpty();
    }

    @Test
    void everythingCanBeSaid() {
        RouterConfig c = parse("""
                listen: "[::1]:0"
                admin: {listen: 0.0.0.0:8081, token: "${TOKEN}"}
                data_dir: /var/lib/warmroute
                models:
                  - name: qwen3-4b
                    max_num_seqs: 32
                    affinity: off
                    policy: {name: warden, overflow_threshold: auto, live_weight: 2}
                    replicas:
                      - {id: r0, url: "https://gpu-1/base/", api_key: "Bearer ${TOKEN}"}
                      - {id: r1, url: "http://127.0.0.1:9002", data_parallel_rank: 1}
                counters: {interval: 500ms}
                session: {headers: [X-My-Session]}
                prompt: {fingerprint: tokenize}
                kafka: {bootstrap: "kafka:9092,k2:9092", prefix: w, buffer: 10, properties: {security.protocol: SSL, retries: 3}}
                warm_prompts: {file: agents.json, concurrency: 3, replicas: placed, max_cache_share: 30%}
                limits: {max_body: 64KB, max_held: 5, max_hold: 2m, connect: 250ms, first_byte: 5m, idle: 1h}
                """);
        assertThat(c.listen()).isEqualTo(new Address("::1", 0));
        assertThat(c.admin().token()).contains("s3cret");
        assertThat(c.saltFile()).isEqualTo(Path.of("/var/lib/warmroute/salt"));
        ModelConfig m = c.models().get(0);
        assertThat(m.affinity()).isFalse();
        assertThat(m.policyParameters()).isEqualTo(Map.of("overflow_threshold", "auto", "live_weight", "2"));
        ReplicaConfig r0 = m.replicas().get(0);
        assertThat(r0.port()).isEqualTo(443);
        assertThat(r0.basePath()).isEqualTo("/base");
        assertThat(r0.apiKey()).contains("Bearer s3cret");
        assertThat(m.replicas().get(1).dataParallelRank()).isEqualTo(OptionalInt.of(1));
        assertThat(c.sessionHeaders()).containsExactly("x-my-session");
        assertThat(c.kafka().bootstrap()).contains("kafka:9092,k2:9092");
        assertThat(c.kafka().properties()).containsEntry("retries", "3");
        assertThat(c.warmPrompts()).isEqualTo(new Warming(Optional.of(Path.of("agents.json")), 3, Where.PLACED, 0.3));
        assertThat(c.limits().maxBody()).isEqualTo(65_536);
        assertThat(c.limits().idle()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void secretsAreNeverShown() {
        assertThat(parse(MODEL.replace("9001'", "9001', api_key: \"${TOKEN}\"") + "admin: {token: \"${TOKEN}\"}")
                        .toString())
                .doesNotContain("s3cret");
    }

    static Stream<Arguments> wrongFiles() {
        return Stream.of(
                wrong("", "router.yaml: is empty"),
                wrong("models: [", "router.yaml: line 1: not YAML"),
                wrong("- a\n- b\n", "the file: must be a map, not a list"),
                wrong("listen: 127.0.0.1:8080\n", "models: is missing"),
                wrong("models: []\n", "models: needs at least one entry"),
                wrong("models: {name: m}\n", "models: must be a list, not a map"),
                wrong("models: [m]\n", "models[0]: must be a map, not 'm'"),
                wrong(MODEL + "lisen: 127.0.0.1:1\n", "lisen: unknown key; did you mean 'listen'?"),
                wrong(MODEL + "colour: blue\n", "colour: unknown key; valid here: instance, listen, admin, data_dir"),
                wrong(MODEL + "max_body: 3MB\n", "max_body: unknown key; valid here"),
                wrong(MODEL + "limits: {max-body: 3MB}\n", "limits.max-body: unknown key; did you mean 'max_body'?"),
                wrong(
                        MODEL + "limits: {frist_byte: 3s}\n",
                        "limits.frist_byte: unknown key; did you mean 'first_byte'?"),
                wrong(MODEL + "limits: {max_body: lots}\n", "limits.max_body: must be a size such as 32MB, not 'lots'"),
                wrong(MODEL + "limits: {max_body: 3GB}\n", "limits.max_body: must be between 1B and 1GB"),
                wrong(
                        MODEL + "limits: {connect: 2}\n",
                        "limits.connect: must be a duration such as 150s, 2m or 500ms, not '2'"),
                wrong(MODEL + "limits: {connect: 0}\n", "limits.connect: must be between 1ms and 1h"),
                wrong(MODEL + "limits: {max_hold: -5s}\n", "limits.max_hold: must be a duration"),
                wrong(MODEL + "limits: {max_held: many}\n", "limits.max_held: must be a whole number, not 'many'"),
                wrong(
                        MODEL + "warm_prompts: {concurrency: 0}\n",
                        "warm_prompts.concurrency: must be at least 1, not 0"),
                wrong(MODEL + "warm_prompts: {replicas: some}\n", "warm_prompts.replicas: must be all or placed"),
                wrong(
                        MODEL + "warm_prompts: {max_cache_share: 2}\n",
                        "warm_prompts.max_cache_share: must be a share such as 0.25 or 25%, not '2'"),
                wrong(MODEL + "warm_prompts: {fiel: a}\n", "warm_prompts.fiel: unknown key; did you mean 'file'?"),
                wrong(MODEL + "limits: [1]\n", "limits: must be a map, not a list"),
                wrong(MODEL + "listen: 8080\n", "listen: must be host:port, not '8080'"),
                wrong(MODEL + "listen: a:99999\n", "listen: must be host:port, not 'a:99999'"),
                wrong(MODEL + "listen: a:1\nadmin: {listen: 'a:1'}\n", "admin.listen: must not be the same as listen"),
                wrong(MODEL + "listen: a:1\nlisten: a:2\n", "line 3: not YAML: Duplicate field 'listen'"),
                wrong(MODEL + "admin: {token: '${NOBODY}'}\n", "admin.token: environment variable NOBODY is not set"),
                wrong(MODEL + "counters: {interval: 1ms}\n", "counters.interval: must be at least 50ms"),
                wrong(MODEL + "session: {headers: x-a}\n", "session.headers: must be a list, not 'x-a'"),
                wrong(MODEL + "session: {headers: ['x a']}\n", "session.headers[0]: 'x a' is not a header's name"),
                wrong(MODEL + "prompt: {fingerprint: md5}\n", "prompt.fingerprint: must be bytes, tokenize or off"),
                wrong(MODEL + "kafka: {bootstrap: kafka}\n", "kafka.bootstrap: must be host:port"),
                wrong(MODEL + "kafka: {prefix: 'a b'}\n", "kafka.prefix: 'a b' cannot begin a topic's name"),
                wrong(
                        MODEL + "kafka: {properties: {a: [1]}}\n",
                        "kafka.properties.a: must be text or a number, not a list"),
                wrong(MODEL + "tls: {cert: /nowhere.pem}\n", "tls.cert: cannot be read: /nowhere.pem"),
                wrong(MODEL + "tls: {cert: /nowhere.pem}\n", "tls.key: is missing"),
                wrong(MODEL.replace("name: m", "name: ''"), "models[0].name: must have 1 to 256 characters"),
                wrong(MODEL.replace("name: m,", ""), "models[0].name: is missing"),
                wrong(MODEL.replace("name: m,", "name: m, policy: wardn,"), "there is no policy 'wardn'"),
                wrong(MODEL.replace("name: m,", "name: m, policy: wardn,"), "did you mean 'warden'?"),
                wrong(
                        MODEL.replace("name: m,", "name: m, policy: [warden],"),
                        "models[0].policy: must be a policy's name"),
                wrong(
                        MODEL.replace("name: m,", "name: m, policy: {live_weight: 1},"),
                        "models[0].policy: needs 'name'"),
                wrong(
                        MODEL.replace("name: m,", "name: m, policy: {name: warden, threshold: 3},"),
                        "models[0].policy.threshold: policy 'warden' has no parameter 'threshold'; it has live_weight,"),
                wrong(
                        MODEL.replace("name: m,", "name: m, policy: {name: warden, overflow_treshold: 3},"),
                        "models[0].policy.overflow_treshold: policy 'warden' has no parameter 'overflow_treshold'; did you mean"
                                + " 'overflow_threshold'?"),
                wrong(
                        MODEL.replace("name: m,", "name: m, policy: {name: warden, kv_weight: much},"),
                        "models[0].policy.kv_weight: policy 'warden': kv_weight must be a number, not 'much'"),
                wrong(
                        MODEL.replace("name: m,", "name: m, policy: {name: wardn},"),
                        "models[0].policy.name: there is no policy 'wardn'"),
                wrong(
                        MODEL.replace("name: m,", "name: m, affinity: maybe,"),
                        "models[0].affinity: must be on or off, not 'maybe'"),
                wrong(
                        MODEL.replace("name: m,", "name: m, max_num_seqs: 0,"),
                        "models[0].max_num_seqs: must be at least 1, not 0"),
                wrong("models: [{name: m, replicas: []}]\n", "models[0].replicas: needs at least one entry"),
                wrong(MODEL.replace("url", "urll"), "models[0].replicas[0].urll: unknown key; did you mean 'url'?"),
                wrong(MODEL.replace("url", "urll"), "models[0].replicas[0].url: is missing; it is base URL"),
                wrong(
                        MODEL.replace("id: r0", "id: 'a b'"),
                        "models[0].replicas[0].id: 'a b' must have 1 to 64 letters"),
                wrong(MODEL.replace("http://", "ftp://"), "models[0].replicas[0].url: must be a URL"),
                wrong(MODEL.replace("http://", "http://u:p@"), "models[0].replicas[0].url: must be a URL"),
                wrong(MODEL.replace("9001'", "99001'"), "models[0].replicas[0].url: must be a URL"),
                wrong(
                        MODEL.replace("9001'", "9001', data_parallel_rank: -1"),
                        "data_parallel_rank: must be at least 0, not -1"),
                wrong(
                        MODEL.replace("9001'}", "9001'}, {id: r0, url: 'http://b'}"),
                        "models[0].replicas[1].id: 'r0' is taken by models[0].replicas[0].id"),
                wrong(
                        MODEL.replace("9001'}", "9001'}, {id: r1, url: 'http://127.0.0.1:9001'}"),
                        "models[0].replicas[1].url: http://127.0.0.1:9001 is already a replica of this model"),
                wrong(
                        MODEL.replace("]}]\n", "]}, {name: m, replicas: [{id: r1, url: 'http://b'}]}]\n"),
                        "models[1].name: another model has the name 'm'"));
    }

    private static Arguments wrong(String yaml, String message) {
        return Arguments.of(yaml, message);
    }

    @ParameterizedTest
    @MethodSource("wrongFiles")
    void aMistakeIsNamedWithItsPathAndWhatWasExpected(String yaml, String message) {
        assertThatThrownBy(() -> parse(yaml)).isInstanceOf(UserError.class).hasMessageContaining(message);
    }

    @Test
    void allMistakesAreReportedAtOnceOneLineEach() {
        assertThatThrownBy(() -> parse(MODEL.replace("url", "urll") + "listen: x\nlimits: {idle: soon}\n"))
                .isInstanceOf(UserError.class)
                .satisfies(e ->
                        assertThat(e.getMessage().lines()).hasSize(5).first().isEqualTo("router.yaml: 4 problems"));
    }

    @Test
    void referencesToTheEnvironmentCannotChangeTheStructure() {
        RouterConfigReader reader = new RouterConfigReader(Map.of("EVIL", "a, b: {c")::get);
        RouterConfig c = reader.parse("f", MODEL + "admin: {token: \"${EVIL}\"}\ndata_dir: \"${X:-/tmp}/$${Y}\"\n");
        assertThat(c.admin().token()).contains("a, b: {c");
        assertThat(c.dataDir()).isEqualTo(Path.of("/tmp/${Y}"));
    }

    @Test
    void everyKeyHasAMeaningAndStandsInAMapThatIsAKeyToo() {
        for (ConfigKey key : ConfigKey.values()) {
            assertThat(key.meaning()).as(key.path()).isNotBlank();
            if (!key.parent().isEmpty()) {
                String parent = key.parent().replaceAll("\\[]$", "");
                assertThat(Stream.of(ConfigKey.values()).map(ConfigKey::path))
                        .as(key.path())
                        .contains(parent);
            }
        }
    }
}

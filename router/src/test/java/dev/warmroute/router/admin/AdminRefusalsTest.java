package dev.warmroute.router.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that are wrong: they change nothing, so one router serves all. */
class AdminRefusalsTest {
    private static final String CHECK = "a".repeat(64);

    private static Operator operator;

    @BeforeAll
    static void start() {
        operator = new Operator(Operator.TOKEN);
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            PATCH  | MODEL                   | {"policy": "wraden"}                  | 400 | policy.name           | warden
            PATCH  | MODEL                   | {"policy": {"name": "warden", "x": 1}} | 400 | policy.x              | no parameter 'x'
            PATCH  | MODEL                   | {"overflow_threshold": 0}             | 400 | overflow_threshold    | at least 1
            PATCH  | MODEL                   | {"overflow_threshold": [1]}           | 400 | overflow_threshold    | text or a number
            PATCH  | MODEL                   | {"affinity": "maybe"}                 | 400 | affinity              | on or off
            PATCH  | MODEL                   | {"policy": "prefix_hash"}             | 400 | policy                | prompt.fingerprint
            PATCH  | MODEL                   | {"max_num_seqs": 9}                   | 400 | max_num_seqs          | cannot be changed here
            PATCH  | MODEL                   | {"affinity": true, "by": "me"}        | 400 | by                    | promote
            PATCH  | MODEL                   | {"policy": "hash", "by": "rollback"}  | 400 | by                    | must be admin or promote
            PATCH  | MODEL                   | {"policy": "hash", "by": "promote"}   | 400 | check_hash            | 64 hex digits
            PATCH  | MODEL                   | {"policy": "hash", "by": "promote", "check_hash": "abc"} | 400 | check_hash | 64 hex digits
            PATCH  | MODEL                   | {"affinity": false, "by": "promote", "check_hash": "HASH"} | 400 | by | the policy that was checked
            PATCH  | MODEL                   | {"policy": "hash", "check_hash": "HASH"} | 400 | check_hash         | by: promote alone
            PATCH  | MODEL                   | {}                                    | 400 | ``                    | changes nothing
            PATCH  | MODEL                   | [1]                                   | 400 | ``                    | must be a JSON object
            PATCH  | MODEL                   | {"policy":                            | 400 | ``                    | must be JSON
            PATCH  | MODEL?dry_run=true      | {"policy": "wraden"}                  | 400 | policy.name           | warden
            PATCH  | MODEL?dry_run=yes       | {"policy": "warden"}                  | 400 | dry_run               | true or false
            PATCH  | MODEL                   | {"policy": "hash", "in_force": "x"}   | 409 | -                     | warden decides
            POST   | MODEL/rollback          | ``                                    | 400 | in_force              | the model's status
            POST   | MODEL/rollback          | {"in_force": "x", "to": "warden"}     | 400 | in_force              | all that is given
            POST   | MODEL/rollback          | {"in_force": "x"}                     | 409 | -                     | warden decides
            POST   | /warmroute/models/n/rollback | ``                               | 404 | -                     | models: m "quoted", org/other
            POST   | MODEL/replicas          | {"id": "r 2"}                         | 400 | url                   | is missing
            POST   | MODEL/replicas          | {"id": "r2", "url": "ftp://x", "ulr": 1} | 400 | ulr                | did you mean 'url'?
            POST   | MODEL/replicas          | {"id": "r1", "url": "http://127.0.0.1:9/q"} | 409 | -               | there is a replica 'r1' already
            POST   | /warmroute/replicas/r0/drain | {"stay": "soon"}                 | 400 | stay                  | a duration
            POST   | /warmroute/replicas/r0/drain | {"say": "3m"}                    | 400 | stay                  | there is only 'stay'
            POST   | /warmroute/replicas/r7/drain | {}                               | 404 | -                     | replicas: r0, r1, o0
            DELETE | /warmroute/replicas/o0  | ``                                    | 409 | -                     | add another one first
            PATCH  | /warmroute/models/n     | {"affinity": true}                    | 404 | -                     | models: m "quoted", org/other
            GET    | /warmroute/decisions?limit=0 | ``                               | 400 | limit                 | from 1 to 200
            GET    | /nothing                | ``                                    | 404 | -                     | /warmroute/status
            POST   | /warmroute/status       | {}                                    | 405 | -                     | possible: GET
            """)
    void aWrongRequestIsAnsweredWithTheFieldAndWhatWasExpected(
            String method, String path, String body, int status, String field, String expected) throws Exception {
        JsonNode before = Operator.json(operator.get("/warmroute/status")).path("models");
        HttpResponse<String> answer = operator.change(
                method, path.replace("MODEL", Operator.MODEL), body == null ? "" : body.replace("HASH", CHECK));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode error = Operator.json(answer).path("error");
        assertThat(error.path("message").asText()).contains(expected);
        if (!field.equals("-")) {
            assertThat(error.path("problems")).anySatisfy(p -> {
                assertThat(p.path("field").asText()).isEqualTo(field);
                assertThat(p.path("expected").asText()).contains(expected);
            });
        }
        JsonNode after = Operator.json(operator.get("/warmroute/status")).path("models");
        for (int m = 0; m < 2; m++) {
            assertThat(after.path(m).path("policy")).isEqualTo(before.path(m).path("policy"));
            assertThat(after.path(m).path("replicas"))
                    .hasSameSizeAs(before.path(m).path("replicas"));
        }
    }
}

package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PassingOnTest {
    private static final String CHAT = "/v1/chat/completions";

    @Test
    void aRequestReachesTheReplicaAsItWasSentAndTheAnswerComesBackAsItWasGiven() throws Exception {
        String answer =
                "{\"choices\":[{\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,"
                        + "\"prompt_tokens_details\":{\"cached_tokens\":4}}}";
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.json(200, answer));
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient client = router.client()) {
            String body =
                    "{ \"messages\":[{\"role\":\"user\",\"content\":\"h\u00e9\\u0020\"}],\n\"model\":\"m\", \"odd\": 1e400}";
            client.post(
                    CHAT + "?beta=true&x=%20",
                    body,
                    "X-Session-Id: s1",
                    "X-Odd: a, b ,c",
                    "Connection: keep-alive, X-Mine",
                    "X-Mine: 1");
            RawClient.Answer got = client.answer();
            assertThat(got.status()).isEqualTo(200);
            assertThat(got.text()).isEqualTo(answer);
            ScriptedReplica.Request sent = replica.take();
            assertThat(sent.firstLine()).isEqualTo("POST " + CHAT + "?beta=true&x=%20 HTTP/1.1");
            assertThat(sent.text()).isEqualTo(body);
            assertThat(sent.head())
                    .contains("\r\nX-Odd: a, b ,c\r\n")
                    .doesNotContainIgnoringCase("x-mine")
                    .doesNotContainIgnoringCase("connection");
            assertThat(sent.hasHeader("host: " + replica.url().substring(7))).isTrue();

            RequestCompleted completed = router.completed(1).get(0);
            assertThat(completed.endedBy()).isEqualTo(EndedBy.FINISHED);
            assertThat(completed.status()).isEqualTo(OptionalInt.of(200));
            assertThat(completed.replica()).contains("r0");
            assertThat(completed.promptTokens()).hasValue(7);
            assertThat(completed.cachedTokens()).hasValue(4);
            assertThat(completed.completionTokens()).hasValue(2);
            assertThat(completed.finishReason()).contains("stop");
            assertThat(completed.firstByteUs()).isPresent();
            RoutingDecision decision = router.decisions().get(0);
            assertThat(decision.requestId()).isEqualTo(completed.requestId());
            assertThat(decision.kind()).isEqualTo(Kind.PLACED);
            assertThat(decision.chosen()).contains("r0");
            assertThat(decision.session().source()).isEqualTo("x-session-id");
            assertThat(router.inFlight()).isZero();
        }
    }

    @Test
    void aConversationStaysWhereItIs() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                RunningRouter router = RunningRouter.inFrontOf(a, b);
                RawClient client = router.client()) {
            for (int turn = 0; turn < 5; turn++) {
                for (String session : new String[] {"one", "two"}) {
                    client.post(CHAT, "{\"model\":\"m\"}", "x-session-id: " + session);
                    assertThat(client.answer().status()).isEqualTo(200);
                }
            }
            router.completed(10);
            assertThat(router.decisions().stream().filter(d -> d.kind() == Kind.PLACED))
                    .hasSize(2);
            assertThat(router.decisions().stream().filter(d -> d.kind() == Kind.STICKY))
                    .hasSize(8);
            assertThat(a.requestsWaiting()).isEqualTo(5);
            assertThat(b.requestsWaiting()).isEqualTo(5);
        }
    }
}

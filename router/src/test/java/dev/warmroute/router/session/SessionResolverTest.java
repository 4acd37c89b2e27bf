package dev.warmroute.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionResolverTest {
    private static final Salt SALT = new Salt(new byte[32]);
    private static final String UUID = "0b5f2a52-8f57-4d0e-9a5c-1f0a8f5c2b11";

    private static RequestHeaders headers(String... lines) {
        List<String[]> fields = new ArrayList<>();
        for (String line : lines) {
            fields.add(line.split(": ", 2));
        }
        return new RequestHeaders() {
            @Override
            public int size() {
                return fields.size();
            }

            @Override
            public String name(int index) {
                return fields.get(index)[0].toLowerCase();
            }

            @Override
            public String value(int index) {
                return fields.get(index)[1];
            }
        };
    }

    private static Session resolve(BodyIds body, String... headers) {
        return new SessionResolver(List.of("x-mine"), SALT).resolve(headers(headers), () -> body, false);
    }

    private static Session resolve(String... headers) {
        return resolve(BodyIds.NONE, headers);
    }

    private static String hash(String id) {
        return SALT.hash("session", "", id);
    }

    static Stream<Arguments> clients() {
        return Stream.of(
                Arguments.of("Claude Code", "X-Claude-Code-Session-Id", "x-claude-code-session-id"),
                Arguments.of("Codex", "session-id", "session-id"),
                Arguments.of("Codex, old", "session_id", "session_id"),
                Arguments.of("Codex, other", "conversation_id", "conversation_id"),
                Arguments.of("OpenCode", "x-session-affinity", "x-session-affinity"),
                Arguments.of("OpenCode's own provider", "x-opencode-session", "x-opencode-session"),
                Arguments.of("Kilo", "X-KiloCode-TaskId", "x-kilocode-taskid"),
                Arguments.of("OpenHands, LiteLLM", "x-litellm-session-id", "x-litellm-session-id"),
                Arguments.of("Copilot", "X-Client-Session-Id", "x-client-session-id"),
                Arguments.of("OpenRouter's convention", "X-Session-ID", "x-session-id"),
                Arguments.of("xAI's convention", "x-grok-conv-id", "x-grok-conv-id"),
                Arguments.of("Open WebUI", "X-OpenWebUI-Chat-Id", "x-openwebui-chat-id"),
                Arguments.of("some vendor", "X-Acme-Session-Id", "x-acme-session-id"),
                Arguments.of("another vendor", "x_acme_thread_id", "x_acme_thread_id"),
                Arguments.of("Amp", "X-Amp-Thread-Id", "x-amp-thread-id"),
                Arguments.of("the operator", "X-Mine", "x-mine"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void everyClientsOwnHeaderIsKnown(String client, String header, String source) {
        Session s = resolve("Host: x", header + ": " + UUID);
        assertThat(s.hash()).contains(hash(UUID));
        assertThat(s.source()).isEqualTo(source);
        assertThat(s.key()).isEqualTo(hash(UUID));
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of(
                        new BodyIds("{\"device_id\":\"d\",\"account_uuid\":\"a\",\"session_id\":\"" + UUID + "\"}", "", "", "", ""),
                        UUID,
                        "body:metadata.user_id"),
                Arguments.of(
                        new BodyIds("user_0a1b_account__session_" + UUID, "", "", "", ""), UUID, "body:metadata.user_id"),
                Arguments.of(new BodyIds("", "thread-1", "", "", ""), "thread-1", "body:prompt_cache_key"),
                Arguments.of(new BodyIds("", "", "s-1", "", ""), "s-1", "body:session_id"),
                Arguments.of(new BodyIds("", "", "", "cline-1", ""), "cline-1", "body:litellm_session_id"),
                Arguments.of(new BodyIds("", "", "", "", UUID), UUID, "body:user"),
                Arguments.of(new BodyIds("", "", "", "", "session-00000042"), "session-00000042", "body:user"));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void theBodyIsAskedLast(BodyIds body, String id, String source) {
        Session s = resolve(body, "Host: x");
        assertThat(s.hash()).contains(hash(id));
        assertThat(s.source()).isEqualTo(source);
        assertThat(resolve(body, "x-session-id: other").hash()).contains(hash("other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"someone@example.org", "acme", "production-eu", "team-platform", "short-1", "ab cd 12345678"})
    void aUserThatIsNoIdIsNoSession(String user) {
        assertThat(resolve(new BodyIds("", "", "", "", user)).hash()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "x-request-id: 1", "x-correlation-id: 1", "x-client-request-id: 1", "traceparent: 00-1-2-01", "x-session-id: ",
        "x-session-id: a\u0001b", "authorization: Bearer k", "x-parent-session-id: p", "x-codex-parent-thread-id: p", "x-id: 1"
    })
    void whatIsNotAConversationIsNoSession(String header) {
        Session s = resolve(header);
        assertThat(s.hash()).isEmpty();
        assertThat(s.source()).isEqualTo("none");
        assertThat(s.key()).isEmpty();
    }

    @Test
    void anIdThatIsTooLongIsPassedOver() {
        assertThat(resolve("x-claude-code-session-id: " + "a".repeat(257), "x-session-id: b").hash()).contains(hash("b"));
    }

    @Test
    void theOperatorsHeaderWinsThenTheClientsThenTheGeneric() {
        assertThat(resolve("x-acme-session-id: g", "x-session-id: s", "x-claude-code-session-id: c", "x-mine: m").source())
                .isEqualTo("x-mine");
        assertThat(resolve("x-acme-session-id: g", "x-session-id: s", "x-claude-code-session-id: c").source())
                .isEqualTo("x-claude-code-session-id");
        assertThat(resolve("x-acme-session-id: g", "x-session-id: s").source()).isEqualTo("x-session-id");
    }

    @Test
    void aSubAgentHasItsOwnKeyWithinTheSession() {
        Session main = resolve("x-claude-code-session-id: s");
        Session agent = resolve(
                "x-claude-code-session-id: s", "x-claude-code-agent-id: a", "x-claude-code-parent-agent-id: p");
        assertThat(agent.hash()).isEqualTo(main.hash());
        assertThat(agent.key()).isEqualTo(main.key() + "/" + SALT.hash("agent", "", "a"));
        assertThat(agent.parent()).contains(SALT.hash("agent", "", "p"));
        assertThat(agent.requestClass()).contains("subagent");
        assertThat(main.requestClass()).isEmpty();
    }

    @Test
    void aSubAgentOfCodexIsNamedByItsThread() {
        Session agent = resolve("session-id: s", "thread-id: t", "x-openai-subagent: review", "x-codex-parent-thread-id: s");
        assertThat(agent.hash()).contains(hash("s"));
        assertThat(agent.agent()).contains(SALT.hash("agent", "", "t"));
        assertThat(agent.parent()).contains(hash("s"));
        assertThat(resolve("session-id: s", "thread-id: s").agent()).isEmpty();
    }

    @Test
    void sideCallsNameTheConversationAsTheirParentAndHaveNoKey() {
        Session title = resolve("x-claude-code-session-id: s", "x-claude-code-request-class: auxiliary");
        Session counting = new SessionResolver(List.of(), SALT).resolve(headers("x-session-id: s"), SpokenBody.NOTHING, true);
        for (Session side : List.of(title, counting)) {
            assertThat(side.key()).isEmpty();
            assertThat(side.parent()).contains(hash("s"));
            assertThat(side.requestClass()).contains("auxiliary");
        }
        assertThat(resolve("x-session-id: s", "x-claude-code-request-class: rm -rf").requestClass()).isEmpty();
    }

    @Test
    void theSameIdOfTwoTenantsIsTwoConversations() {
        String one = resolve("x-session-id: s", "authorization: Bearer one").key();
        String two = resolve("x-session-id: s", "authorization: Bearer two").key();
        String key = resolve("x-session-id: s", "x-api-key: one").key();
        assertThat(List.of(one, two, key, hash("s"))).doesNotHaveDuplicates();
        assertThat(resolve("authorization: Bearer one", "x-session-id: s").key()).isEqualTo(one);
    }

    @Test
    void aConversationWithoutAnIdIsKnownByWhatItBeganWith() {
        SessionResolver resolver = new SessionResolver(List.of(), SALT);
        Session one = resolver.resolve(headers("authorization: k"), opening("m\nfix the build"), false);
        assertThat(one.source()).isEqualTo("fingerprint");
        assertThat(one.key()).isEqualTo(resolver.resolve(headers("authorization: k"), opening("m\nfix the build"), false).key());
        assertThat(one.key()).isNotEqualTo(resolver.resolve(headers("authorization: l"), opening("m\nfix the build"), false).key());
        assertThat(resolver.resolve(headers("x-session-id: s"), opening("x"), false).source()).isEqualTo("x-session-id");
    }

    private static SpokenBody opening(String text) {
        return new SpokenBody() {
            @Override
            public BodyIds ids() {
                return BodyIds.NONE;
            }

            @Override
            public String opening() {
                return text;
            }
        };
    }

    @Test
    void hashesDependOnTheSaltAndAreSixteenBytes() {
        Salt other = new Salt(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        assertThat(hash("s")).matches("[0-9a-f]{32}").isNotEqualTo(other.hash("session", "", "s"));
        assertThat(other.id()).matches("[0-9a-f]{16}").isNotEqualTo(SALT.id());
        assertThat(SALT.hash("agent", "", "s")).isNotEqualTo(hash("s"));
    }
}

package dev.warmroute.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionResolverTest {
    private static final Salt SALT = new Salt(new byte[32]);
    private static final String UUID = "0b5f2a52-8f57-4d0e-9a5c-1f0a8f5c2b11";

    private static Session resolve(SpokenBody body, String... headers) {
        return new SessionResolver(List.of("x-mine"), SALT).resolve(HeaderLines.of(headers), body, false);
    }

    private static Session resolve(String... headers) {
        return resolve(SpokenBody.NOTHING, headers);
    }

    private static String hash(String id) {
        return SALT.hash("session", "", id);
    }

    @Test
    void theHeadersAreAskedBeforeTheBody() {
        SpokenBody body = user(UUID);
        assertThat(resolve(body, "Host: x").hash()).contains(hash(UUID));
        assertThat(resolve(body, "x-session-id: other").hash()).contains(hash("other"));
    }

    private static SpokenBody user(String user) {
        return field -> field == BodyField.USER ? user : "";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"someone@example.org", "acme", "production-eu", "team-platform", "short-1", "ab cd 12345678"})
    void aUserThatIsNoIdIsNoSession(String user) {
        assertThat(resolve(user(user)).hash()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-request-id: 1", "x-correlation-id: 1", "x-client-request-id: 1", "traceparent: 00-1-2-01",
                        "x-session-id: ",
                "x-session-id: a\u0001b", "authorization: Bearer k", "x-parent-session-id: p",
                        "x-codex-parent-thread-id: p", "x-id: 1"
            })
    void whatIsNotAConversationIsNoSession(String header) {
        Session s = resolve(header);
        assertThat(s.hash()).isEmpty();
        assertThat(s.source()).isEqualTo("none");
        assertThat(s.key()).isEmpty();
    }

    @Test
    void anIdThatIsTooLongIsPassedOver() {
        assertThat(resolve("x-claude-code-session-id: " + "a".repeat(257), "x-session-id: b")
                        .hash())
                .contains(hash("b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "None", "undefined", "[object Object]"})
    void aWordForHavingNoIdIsNone(String word) {
        assertThat(resolve("session-id: " + word, "x-session-id: b").hash()).contains(hash("b"));
        assertThat(resolve(user(word)).hash()).isEmpty();
    }

    @Test
    void aHeaderWithAnEndlessNameIsNoSessionHeader() {
        assertThat(resolve("x-" + "a".repeat(60) + "-session-id: s").source()).isEqualTo("none");
    }

    @Test
    void ofAnIdThatIsGivenTwiceTheFirstCounts() {
        Session s =
                resolve("x-session-id: a", "X-Session-Id: b", "x-claude-code-agent-id: c", "x-claude-code-agent-id: d");
        assertThat(s.key()).isEqualTo(hash("a") + "/" + SALT.hash("agent", "", "c"));
    }

    @Test
    void theBodyIsReadToItsEndOnlyWhereItMaySaySomething() {
        SessionResolver resolver = new SessionResolver(List.of("X-Mine"), SALT);
        assertThat(resolver.asksBody(HeaderLines.of("host: x"))).isTrue();
        assertThat(resolver.asksBody(HeaderLines.of("x-mine: s"))).isFalse();
        assertThat(resolver.asksBody(HeaderLines.of("x-session-id: s"))).isFalse();
        String claude = "x-claude-code-session-id: s";
        assertThat(resolver.asksBody(HeaderLines.of(claude))).isTrue();
        assertThat(resolver.asksBody(HeaderLines.ofChat(claude)))
                .as("side calls are messages")
                .isFalse();
        assertThat(resolver.asksBody(HeaderLines.of(claude, "x-claude-code-request-class: Main")))
                .isFalse();
        assertThat(resolver.asksBody(HeaderLines.of(claude, "x-claude-code-request-class: what")))
                .isTrue();
        assertThat(resolver.asksBody(HeaderLines.of(claude, "x-claude-code-agent-id: a")))
                .isFalse();
    }

    @Test
    void theOperatorsHeaderWinsThenTheClientsThenTheGeneric() {
        assertThat(resolve("x-acme-session-id: g", "x-session-id: s", "x-claude-code-session-id: c", "x-mine: m")
                        .source())
                .isEqualTo("x-mine");
        assertThat(resolve("x-acme-session-id: g", "x-session-id: s", "x-claude-code-session-id: c")
                        .source())
                .isEqualTo("x-claude-code-session-id");
        assertThat(resolve("x-acme-session-id: g", "x-session-id: s").source()).isEqualTo("x-session-id");
    }

    @Test
    void aSubAgentHasItsOwnKeyWithinTheSession() {
        Session main = resolve("x-claude-code-session-id: s");
        Session agent =
                resolve("x-claude-code-session-id: s", "x-claude-code-agent-id: a", "x-claude-code-parent-agent-id: p");
        assertThat(agent.hash()).isEqualTo(main.hash());
        assertThat(agent.key()).isEqualTo(main.key() + "/" + SALT.hash("agent", "", "a"));
        assertThat(agent.parent()).contains(SALT.hash("agent", "", "p"));
        assertThat(agent.requestClass()).contains("subagent");
        assertThat(main.requestClass()).isEmpty();
    }

    @Test
    void aSubAgentOfCodexIsNamedByItsThread() {
        Session agent =
                resolve("session-id: s", "thread-id: t", "x-openai-subagent: review", "x-codex-parent-thread-id: s");
        assertThat(agent.hash()).contains(hash("s"));
        assertThat(agent.agent()).contains(SALT.hash("agent", "", "t"));
        assertThat(agent.parent()).contains(hash("s"));
        assertThat(resolve("session-id: s", "thread-id: s").agent()).isEmpty();
    }

    @Test
    void sideCallsNameTheConversationAsTheirParentAndHaveNoKey() {
        Session title = resolve("x-claude-code-session-id: s", "x-claude-code-request-class: auxiliary");
        Session counting = new SessionResolver(List.of(), SALT)
                .resolve(HeaderLines.of("x-session-id: s"), SpokenBody.NOTHING, true);
        for (Session side : List.of(title, counting)) {
            assertThat(side.key()).isEmpty();
            assertThat(side.parent()).contains(hash("s"));
            assertThat(side.requestClass()).contains("auxiliary");
        }
        assertThat(resolve("x-session-id: s", "x-claude-code-request-class: rm -rf")
                        .requestClass())
                .isEmpty();
    }

    @Test
    void theSameIdOfTwoTenantsIsTwoConversations() {
        String one = resolve("x-session-id: s", "authorization: Bearer one").key();
        String two = resolve("x-session-id: s", "authorization: Bearer two").key();
        String key = resolve("x-session-id: s", "x-api-key: one").key();
        assertThat(List.of(one, two, key, hash("s"))).doesNotHaveDuplicates();
        assertThat(resolve("authorization: Bearer one", "x-session-id: s").key())
                .isEqualTo(one);
    }

    @Test
    void aConversationWithoutAnIdIsKnownByWhatItBeganWith() {
        SessionResolver resolver = new SessionResolver(List.of(), SALT);
        Session one = resolver.resolve(HeaderLines.of("authorization: k"), opening("m\nfix the build"), false);
        assertThat(one.source()).isEqualTo("fingerprint");
        assertThat(one.key())
                .isEqualTo(resolver.resolve(HeaderLines.of("authorization: k"), opening("m\nfix the build"), false)
                        .key());
        assertThat(one.key())
                .isNotEqualTo(resolver.resolve(HeaderLines.of("authorization: l"), opening("m\nfix the build"), false)
                        .key());
        assertThat(resolver.resolve(HeaderLines.of("x-session-id: s"), opening("x"), false)
                        .source())
                .isEqualTo("x-session-id");
    }

    private static SpokenBody opening(String text) {
        return new SpokenBody() {
            @Override
            public String value(BodyField field) {
                return "";
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

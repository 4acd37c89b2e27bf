package dev.warmroute.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.json.JsonFieldScanner;
import dev.warmroute.router.json.JsonFields;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The clients of reference/clients-and-traces.md §3.2 and routing-policies.md §12, line by line: what each sends, and who the
 * router takes it for. Headers are separated by {@code ;}; a parent is the id of a session or, with {@code @} before it, of an
 * agent.
 */
class WhoIsSpeakingTest {
    private static final Salt SALT = new Salt(new byte[32]);
    private static final String KEY = "Bearer one";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', emptyValue = "", textBlock = """
        # client                    | headers                                                    | body                                   | source                    | session | agent | parent | class
        Claude Code                 | X-Claude-Code-Session-Id: s                                | {"tools":[{"name":"Bash"}]}            | x-claude-code-session-id  | s |   |    |
        Claude Code, by its body    |                                                            | {"metadata":{"user_id":"{\\"device_id\\":\\"d\\",\\"account_uuid\\":\\"a\\",\\"session_id\\":\\"s\\"}"}} | body:metadata.user_id | s | | |
        Claude Code before 2.1.78   |                                                            | {"metadata":{"user_id":"user_0a1b_account__session_s"}} | body:metadata.user_id | s | | |
        Claude Code, sub-agent      | x-claude-code-session-id: s; x-claude-code-agent-id: a     |                                        | x-claude-code-session-id  | s | a |    | subagent
        Claude Code, nested         | x-claude-code-session-id: s; x-claude-code-agent-id: a; x-claude-code-parent-agent-id: p |          | x-claude-code-session-id  | s | a | @p | subagent
        Claude Code, hints          | x-claude-code-session-id: s; x-claude-code-request-class: main |                                    | x-claude-code-session-id  | s |   |    | main
        Claude Code, workflow       | x-claude-code-session-id: s; x-claude-code-request-class: workflow |                                | x-claude-code-session-id  | s |   |    | workflow
        Claude Code, compaction     | x-claude-code-session-id: s; x-claude-code-compaction: auto |                                       | x-claude-code-session-id  | s |   |    | compaction
        Claude Code, title by hint  | x-claude-code-session-id: s; x-claude-code-request-class: auxiliary |                               | x-claude-code-session-id  |   |   | s  | auxiliary
        Claude Code, title          | x-claude-code-session-id: s                                | {"tools":[],"output_config":{"format":{"type":"json_schema"}}} | x-claude-code-session-id | | | s | auxiliary
        Claude Code, title by body  |                                                            | {"metadata":{"user_id":"{\\"session_id\\":\\"s\\"}"},"tools":[],"output_config":{"format":{"type":"json_schema"}}} | body:metadata.user_id | | | s | auxiliary
        Claude Code, quota probe    | x-claude-code-session-id: s                                | {"max_tokens":1,"messages":[{"role":"user","content":"quota"}]} | x-claude-code-session-id | | | s | auxiliary
        Claude Code, form and tools | x-claude-code-session-id: s                                | {"max_tokens":1,"tools":[{"name":"Bash"}],"output_config":{"format":{"type":"json_schema"}}} | x-claude-code-session-id | s | | |
        one token, other client     | x-session-id: s                                            | {"max_tokens":1}                       | x-session-id              | s |   |    |
        Codex                       | session-id: s; thread-id: s; x-client-request-id: s        | {"prompt_cache_key":"s"}               | session-id                | s |   |    |
        Codex, old                  | session_id: s; conversation_id: s                          | {"prompt_cache_key":"s"}               | session_id                | s |   |    |
        Codex, only a thread        | thread_id: s                                               |                                        | thread_id                 | s |   |    |
        Codex, only a conversation  | conversation_id: s                                         |                                        | conversation_id           | s |   |    |
        Codex, by its body          |                                                            | {"prompt_cache_key":"s"}               | body:prompt_cache_key     | s |   |    |
        Codex behind nginx          | x-codex-turn-metadata: {"turn_id":"7","session_id":"s","thread_id":"s"} |                           | x-codex-turn-metadata     | s |   |    |
        Codex, sub-agent            | session-id: s; thread-id: t; x-codex-parent-thread-id: s; x-openai-subagent: collab_spawn | {"prompt_cache_key":"s"} | session-id  | s | t | s  | subagent
        Codex, its sub-agent's own  | session-id: s; thread-id: u; x-codex-parent-thread-id: t; x-openai-subagent: collab_spawn |         | session-id                | s | u | @t | subagent
        Codex, sub-agent, by thread | session-id: s; thread-id: t; x-codex-parent-thread-id: s   |                                        | session-id                | s | t | s  | subagent
        Codex, sub-agent, nginx     | x-codex-parent-thread-id: s; x-codex-turn-metadata: {"session_id":"s","thread_id":"t"} |            | x-codex-turn-metadata     | s | t | s  | subagent
        Codex, old, sub-agent       | session_id: t; x-codex-parent-thread-id: s; x-openai-subagent: review |                             | session_id                | t |   | s  | subagent
        Codex, fork                 | session-id: s; thread-id: t                                |                                        | session-id                | s |   |    |
        Codex, compaction           | session-id: s; thread-id: s; x-openai-subagent: compact    |                                        | session-id                | s |   |    | compaction
        Codex, memories             | session-id: s; x-openai-subagent: memory_consolidation     |                                        | session-id                |   |   | s  | auxiliary
        Codex, memories by header   | session-id: s; x-openai-memgen-request: true               |                                        | session-id                |   |   | s  | auxiliary
        OpenCode                    | x-session-affinity: s; X-Session-Id: s                     |                                        | x-session-affinity        | s |   |    |
        OpenCode 1.18.16            | X-Session-Id: s                                            |                                        | x-session-id              | s |   |    |
        OpenCode, own provider      | x-opencode-session: s; x-opencode-request: r               |                                        | x-opencode-session        | s |   |    |
        OpenCode, sub-agent         | x-session-affinity: t; x-parent-session-id: s              |                                        | x-session-affinity        | t |   | s  | subagent
        Qwen Code                   | traceparent: 00-1-2-01                                     | {"messages":[{"role":"user","content":"o"}]} | fingerprint         | o |   |    |
        Qwen Code, proposed header  | X-Qwen-Code-Session-Id: s                                  |                                        | x-qwen-code-session-id    | s |   |    |
        Gemini CLI                  |                                                            | {"session_id":"s"}                     | body:session_id           | s |   |    |
        Cline through LiteLLM       |                                                            | {"litellm_session_id":"cline-s"}       | body:litellm_session_id   | cline-s | | |
        Cline                       |                                                            | {"messages":[{"role":"user","content":"o"}]} | fingerprint         | o |   |    |
        Roo Code                    |                                                            | {"messages":[{"role":"user","content":"o"}]} | fingerprint         | o |   |    |
        Kilo Code                   | X-KiloCode-TaskId: s                                       |                                        | x-kilocode-taskid         | s |   |    |
        Kilo Code, sub-agent        | X-KiloCode-TaskId: t; x-kilocode-parent-taskid: s          |                                        | x-kilocode-taskid         | t |   | s  | subagent
        Kilo's CLI                  | x-session-affinity: s; X-Session-Id: s                     |                                        | x-session-affinity        | s |   |    |
        OpenHands                   | x-litellm-session-id: s                                    | {"prompt_cache_key":"s"}               | x-litellm-session-id      | s |   |    |
        OpenHands, by its body      |                                                            | {"prompt_cache_key":"s"}               | body:prompt_cache_key     | s |   |    |
        Aider                       |                                                            | {"messages":[{"role":"user","content":"Change get_factorial() to use math.factorial"},{"role":"user","content":"o"}]} | fingerprint | o | | |
        Crush, Zed, Cursor          | x-request-id: r; x-correlation-id: r                       | {"messages":[{"role":"user","content":"o"}]} | fingerprint         | o |   |    |
        Copilot's CLI               | X-Client-Session-Id: s; x-interaction-id: i                |                                        | x-client-session-id       | s |   |    |
        Copilot in VS Code          | x-interaction-id: s; vscode-sessionid: w                   |                                        | x-interaction-id          | s |   |    |
        Pi                          | x-session-affinity: s; x-client-request-id: r              |                                        | x-session-affinity        | s |   |    |
        Pi, by its body             | x-client-request-id: r                                     | {"session_id":"s"}                     | body:session_id           | s |   |    |
        Hermes                      | X-Hermes-Session-Id: s                                     |                                        | x-hermes-session-id       | s |   |    |
        OpenRouter's convention     | x-session-id: s                                            |                                        | x-session-id              | s |   |    |
        Mistral vibe                | x-affinity: s                                              |                                        | x-affinity                | s |   |    |
        xAI's convention            | x-grok-conv-id: s                                          |                                        | x-grok-conv-id            | s |   |    |
        SGLang's gateway            | X-SMG-Routing-Key: s                                       |                                        | x-smg-routing-key         | s |   |    |
        Dynamo                      |                                                            | {"nvext":{"agent_context":{"session_id":"s","trajectory_id":"a"}}} | body:nvext.agent_context.session_id | s | a | |
        Dynamo, sub-agent           |                                                            | {"nvext":{"agent_context":{"session_id":"s","trajectory_id":"a","parent_trajectory_id":"p"}}} | body:nvext.agent_context.session_id | s | a | @p | subagent
        Dynamo, header              | x-dynamo-session-id: t; x-dynamo-parent-session-id: s      |                                        | x-dynamo-session-id       | t |   | s  | subagent
        Mux                         | X-Mux-Workspace-Id: s                                      |                                        | x-mux-workspace-id        | s |   |    |
        Coder                       | X-Coder-Chat-Id: s                                         |                                        | x-coder-chat-id           | s |   |    |
        Amp                         | X-Amp-Thread-Id: s; x-amp-message-id: m                    |                                        | x-amp-thread-id           | s |   |    |
        Open WebUI                  | X-OpenWebUI-Chat-Id: s                                     |                                        | x-openwebui-chat-id       | s |   |    |
        LiteLLM, Helicone           | helicone-session-id: s                                     |                                        | helicone-session-id       | s |   |    |
        LiteLLM, Langfuse           | langfuse_session_id: s                                     |                                        | langfuse_session_id       | s |   |    |
        LiteLLM, by its body        |                                                            | {"metadata":{"session_id":"s"}}        | body:metadata.session_id  | s |   |    |
        generic conversation        | X-Conversation-ID: s                                       |                                        | x-conversation-id         | s |   |    |
        generic chat session        | x-chat-session-id: s                                       |                                        | x-chat-session-id         | s |   |    |
        generic thread              | X-Thread-Id: s                                             |                                        | x-thread-id               | s |   |    |
        any vendor's session        | x-acme-session-id: s                                       |                                        | x-acme-session-id         | s |   |    |
        any vendor's thread, old    | x_acme_thread_id: s                                        |                                        | x_acme_thread_id          | s |   |    |
        any vendor's task           | x-acme-taskid: s                                           |                                        | x-acme-taskid             | s |   |    |
        user that is an id          |                                                            | {"user":"session-00000042"}            | body:user                 | session-00000042 | | |
        user that is a person       |                                                            | {"user":"someone@example.org"}         | none                      |   |   |    |
        the operator's own header   | X-Mine: s; x-claude-code-session-id: c                     | {"tools":[{"name":"Bash"}]}            | x-mine                    | s |   |    |
        """)
    void everyClientIsKnown(
            String client,
            String headers,
            String body,
            String source,
            String session,
            String agent,
            String parent,
            String requestClass) {
        Session known = resolve(KEY, headers, text(body));
        assertThat(known.source()).isEqualTo(source);
        assertThat(known.hash()).isEqualTo(hash("session", text(session)));
        assertThat(known.agent()).isEqualTo(hash("agent", text(agent)));
        assertThat(known.parent())
                .isEqualTo(
                        text(parent).startsWith("@")
                                ? hash("agent", parent.substring(1))
                                : hash("session", text(parent)));
        assertThat(known.requestClass().orElse("")).isEqualTo(text(requestClass));
        Optional<String> key =
                known.hash().map(h -> h + known.agent().map(a -> "/" + a).orElse(""));
        assertThat(known.key()).isEqualTo(key.orElse(""));

        assertThat(resolve(KEY, namesInUpperCase(text(headers)), text(body)))
                .as("names in any case")
                .isEqualTo(known);
        Session others = resolve("Bearer two", headers, text(body));
        assertThat(others.hash().isPresent()).isEqualTo(known.hash().isPresent());
        assertThat(others.hash())
                .as("another tenant's")
                .isNotEqualTo(known.hash().or(() -> Optional.of("")));
    }

    private static Session resolve(String key, String headers, String body) {
        String[] lines = (text(headers) + "; Authorization: " + key)
                .replaceFirst("^; ", "")
                .split("; ");
        return new SessionResolver(List.of("x-mine"), SALT).resolve(HeaderLines.of(lines), spoken(body), false);
    }

    private static String namesInUpperCase(String headers) {
        return Pattern.compile("(^|; )[^:]+")
                .matcher(headers)
                .replaceAll(name -> name.group().toUpperCase(Locale.ROOT));
    }

    private static SpokenBody spoken(String body) {
        JsonFieldScanner scanner = new JsonFieldScanner(JsonFields.of(
                Arrays.stream(BodyField.values()).map(BodyField::path).toArray(String[]::new)));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        scanner.feed(ByteBuffer.wrap(bytes));
        return new SpokenBody() {
            @Override
            public String value(BodyField field) {
                return scanner.isText(field.ordinal()) == field.isText() ? scanner.value(field.ordinal()) : "";
            }

            @Override
            public String opening() {
                return Opening.of(new ByteArrayInputStream(bytes));
            }
        };
    }

    private static Optional<String> hash(String kind, String id) {
        return id.isEmpty() ? Optional.empty() : Optional.of(SALT.hash(kind, KEY, id));
    }

    private static String text(String cell) {
        return cell == null ? "" : cell;
    }
}

package dev.warmroute.simulator.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.fingerprint.PromptPublisher;
import dev.warmroute.router.prompt.PromptListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The router's exact fingerprints against the engine itself: same length, and the blocks that it finds in its cache. Against a
 * real vLLM on this machine with {@code -Dwarmroute.vllm.port=PORT} (block size 32, model {@code tiny}, started with
 * {@code --enable-auto-tool-choice --tool-call-parser hermes}), else against the stand-in.
 */
class ExactPromptsTest {
    private static final int REAL = Integer.getInteger("warmroute.vllm.port", 0);
    private static final int BLOCK = REAL == 0 ? 16 : 32;
    private static final String A =
            IntStream.range(10, 10 + BLOCK).mapToObj(i -> "w" + i + ' ').collect(Collectors.joining());
    private static final String OPENAI_TOOLS =
            "'tools':[{'type':'function','function':{'name':'f','description':'does it','parameters':{'type':'object','properties':{}}}}]";
    private static final String ANTHROPIC_TOOLS =
            "'tools':[{'name':'f','description':'does it','input_schema':{'type':'object','properties':{}}}]";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        text         | /v1/completions      | {'prompt':'A A A'}
        chat         | /v1/chat/completions | {'messages':[{'role':'system','content':'A A'},{'role':'user','content':'A A'}]}
        tools        | /v1/chat/completions | {'messages':[{'role':'user','content':'A A'},{'role':'assistant','content':'A','tool_calls':[{'id':'1','type':'function','function':{'name':'f','arguments':'{}'}}]},{'role':'tool','tool_call_id':'1','content':'A'}],OPENAI}
        parts        | /v1/chat/completions | {'messages':[{'role':'user','content':[{'type':'text','text':'A A'},{'type':'text','text':'A A'}]}]}
        no answer    | /v1/chat/completions | {'messages':[{'role':'user','content':'A A A A'}],'add_generation_prompt':false}
        prefill      | /v1/chat/completions | {'messages':[{'role':'user','content':'A A A'},{'role':'assistant','content':'A'}],'add_generation_prompt':false,'continue_final_message':true}
        kwargs       | /v1/chat/completions | {'messages':[{'role':'user','content':'A A A A'}],'chat_template_kwargs':{'enable_thinking':false}}
        Anthropic    | /v1/messages         | {'system':[{'type':'text','text':'x-anthropic-billing-header: cch=1;'},{'type':'text','text':'A A'}],'messages':[{'role':'user','content':'A A'}]}
        Claude tools | /v1/messages         | {'messages':[{'role':'user','content':[{'type':'text','text':'A A'}]},{'role':'assistant','content':[{'type':'thinking','thinking':'A'},{'type':'text','text':'A'},{'type':'tool_use','id':'1','name':'f','input':{'x':1}}]},{'role':'user','content':[{'type':'tool_result','tool_use_id':'1','content':'A'},{'type':'text','text':'A'}]}],ANTHROPIC}
        """)
    void isAsLongAsTheEngineSaysAndSharesWhatTheEngineFinds(String name, String path, String body)
            throws JsonProcessingException {
        String first = filled(body, "'max_tokens':1");
        String longer = longer(first);
        String salted = filled(body, "'max_tokens':1,'cache_salt':'tenant'");
        List<PromptBlocks> told = new CopyOnWriteArrayList<>();
        try (Engine engine = Engine.start();
                PromptPublisher publisher = publisher(told)) {
            long cached = 0;
            for (String asked : List.of(first, longer, salted, salted)) {
                JsonNode usage = engine.usage(path, asked);
                publisher.prompt(request(engine, path, asked));
                int count = told.size() + 1;
                await().atMost(Duration.ofSeconds(10)).until(() -> told.size() == count);
                PromptBlocks blocks = told.get(count - 1);
                assertThat(blocks.unit()).isEqualTo("tokens");
                assertThat(blocks.length()).isEqualTo(promptTokens(usage));
                // The engine computes at least one token anew, and so never finds a whole prompt.
                long found = Math.min(blocks.sharedBlocks(), (blocks.length() - 1) / BLOCK) * BLOCK;
                assertThat(cachedTokens(usage)).isEqualTo(found);
                cached += found;
            }
            assertThat(publisher.totals().inTokens()).isEqualTo(4);
            assertThat(cached).as("prompts that share nothing show nothing").isPositive();
        }
    }

    @Test
    void whatHasNoExactCounterpartIsToldInBytes() {
        List<PromptBlocks> told = new CopyOnWriteArrayList<>();
        try (Engine engine = Engine.start();
                PromptPublisher publisher = publisher(told)) {
            publisher.prompt(request(engine, "/v1/responses", "{\"input\":\"a\"}"));
            await().atMost(Duration.ofSeconds(10)).until(() -> told.size() == 1);
            assertThat(told.get(0).unit()).isEqualTo("bytes");
        }
    }

    /** Something that answers as vLLM does. */
    private record Engine(int port, Optional<StandInReplica> standIn) implements AutoCloseable {
        static Engine start() {
            if (REAL != 0) {
                assertThat(RawAnswer.ask(REAL, "POST", "/reset_prefix_cache", "")
                                .statusLine())
                        .contains("200");
                return new Engine(REAL, Optional.empty());
            }
            StandInReplica replica = StandInReplica.start(ReplicaOptions.defaults()
                    .withPort(0)
                    .withServedModelName("tiny")
                    .withSpeed(1_000)
                    .withCache(1_000, BLOCK));
            return new Engine(replica.port(), Optional.of(replica));
        }

        JsonNode usage(String path, String body) throws JsonProcessingException {
            RawAnswer answer = RawAnswer.ask(port, "POST", path, body);
            assertThat(answer.statusLine()).as(answer.body()).contains(" 200 ");
            return Json.MAPPER.readTree(answer.body()).path("usage");
        }

        @Override
        public void close() {
            standIn.ifPresent(StandInReplica::close);
        }
    }

    private static PromptPublisher publisher(List<PromptBlocks> told) {
        return new PromptPublisher(
                event -> told.add((PromptBlocks) event.apply(new RouterIdentity("test", 1, told.size()))),
                "a secret for tests".getBytes(UTF_8),
                "salt-1",
                true,
                new PromptPublisher.Replicas(r -> BLOCK, r -> Optional.empty()));
    }

    private static String filled(String body, String more) {
        return (body.substring(0, body.length() - 1) + ",'model':'tiny'," + more + '}')
                .replace("OPENAI", OPENAI_TOOLS)
                .replace("ANTHROPIC", ANTHROPIC_TOOLS)
                .replace("A A A A", A + A + A + A)
                .replace("A A A", A + A + A)
                .replace("A A", A + A)
                .replace("'A'", '\'' + A + '\'')
                .replace('\'', '"');
    }

    private static String longer(String body) throws JsonProcessingException {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(body);
        if (json.has("prompt")) {
            json.put("prompt", json.get("prompt").textValue() + A + A);
        } else {
            json.withArray("messages").addObject().put("role", "user").put("content", A + A);
        }
        return json.toString();
    }

    private static PromptListener.Request request(Engine engine, String path, String body) {
        Session session =
                new Session(Optional.of("s"), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty());
        return new PromptListener.Request(
                "q", session, "m", path, "r0", "http://127.0.0.1:" + engine.port(), body.getBytes(UTF_8));
    }

    private static long promptTokens(JsonNode usage) {
        return usage.has("prompt_tokens")
                ? usage.get("prompt_tokens").asLong()
                : usage.path("input_tokens").asLong()
                        + cachedTokens(usage)
                        + usage.path("cache_creation_input_tokens").asLong();
    }

    private static long cachedTokens(JsonNode usage) {
        return usage.at("/prompt_tokens_details/cached_tokens").asLong()
                + usage.path("cache_read_input_tokens").asLong();
    }
}

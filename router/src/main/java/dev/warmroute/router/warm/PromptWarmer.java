package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.warm.EngineClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts one prompt into one replica's cache. The replica renders it with several things said by the user; what these renderings
 * have in common, token by token, is sent as a completion of one token. So exactly what every request with this prompt begins
 * with is computed: engines that can go on only from where a request ended (hybrids) end here, too. A replica that cannot render
 * is sent a chat instead.
 */
final class PromptWarmer {
    /**
     * What the user says, differently from the first character on. White space, because it may become one token with what the
     * template has before it: that token is then not in common.
     */
    private static final List<String> SAID = List.of("A", "7", "\n\n x");

    /** For a vocabulary that knows none of these: to it they are the same word. */
    private static final String SAID_NOTHING = "";

    /** Of the chat that is sent where a prompt cannot be rendered. */
    private static final String SAID_IN_CHAT = " ";

    private static final Duration RENDERING = Duration.ofSeconds(30);

    /** A long prompt behind many others takes its time. */
    private static final Duration PREFILL = Duration.ofMinutes(15);

    private final EngineClient engine;
    private final ReplicaConfig replica;
    private final String model;

    PromptWarmer(EngineClient engine, ReplicaConfig replica, String model) {
        this.engine = engine;
        this.replica = replica;
        this.model = model;
    }

    /** @throws IOException if the replica cannot be reached */
    WarmedPrompt warm(WarmPrompt prompt) throws IOException, InterruptedException {
        Rendering rendering = render(prompt);
        if (rendering.tooLong()) {
            return WarmedPrompt.skipped(prompt.name(), "longer than the model's " + rendering.longest() + " tokens");
        }
        if (rendering.prefix().length == 0) {
            return chat(prompt);
        }
        ObjectNode completion = answerOfOneToken(EngineClient.MAPPER.createObjectNode());
        ArrayNode ids = completion.putArray("prompt");
        for (long id : rendering.prefix()) {
            ids.add(id);
        }
        Answer answer = post("/v1/completions", completion, PREFILL);
        return answer.ok()
                ? WarmedPrompt.exact(prompt.name(), rendering.prefix().length, rendering.prefix())
                : chat(prompt);
    }

    /**
     * What a prompt's renderings have in common; nothing where they are not to be had.
     *
     * @param longest tokens that a request may have; 0 when the replica does not say
     */
    private record Rendering(long[] prefix, long longest) {
        static final Rendering NONE = new Rendering(new long[0], 0);

        /** The engine wants room for an answer. */
        boolean tooLong() {
            return longest > 0 && prefix.length >= longest;
        }
    }

    private Rendering render(WarmPrompt prompt) throws IOException, InterruptedException {
        List<long[]> renderings = new ArrayList<>();
        long longest = 0;
        for (String said : SAID) {
            Answer answer = tokenize(prompt, said);
            Optional<long[]> ids = ids(answer);
            if (ids.isEmpty()) {
                return Rendering.NONE;
            }
            renderings.add(ids.get());
            longest = answer.body().path("max_model_len").asLong();
        }
        long[] common = Prefixes.common(renderings);
        if (common.length == 0) {
            ids(tokenize(prompt, SAID_NOTHING)).ifPresent(renderings::add);
            common = Prefixes.common(renderings);
        }
        return new Rendering(common, longest);
    }

    private Answer tokenize(WarmPrompt prompt, String said) throws IOException, InterruptedException {
        return post("/tokenize", prompt.asking(said).put("add_generation_prompt", true), RENDERING);
    }

    private static Optional<long[]> ids(Answer answer) {
        JsonNode tokens = answer.ok() ? answer.body().path("tokens") : MissingNode.getInstance();
        long[] ids = new long[tokens.size()];
        for (int i = 0; i < ids.length; i++) {
            if (!tokens.get(i).isIntegralNumber()) {
                return Optional.empty();
            }
            ids[i] = tokens.get(i).longValue();
        }
        return ids.length == 0 ? Optional.empty() : Optional.of(ids);
    }

    private WarmedPrompt chat(WarmPrompt prompt) throws IOException, InterruptedException {
        Answer answer = post("/v1/chat/completions", answerOfOneToken(prompt.asking(SAID_IN_CHAT)), PREFILL);
        return answer.ok()
                ? WarmedPrompt.chat(
                        prompt.name(), answer.body().at("/usage/prompt_tokens").asLong())
                : WarmedPrompt.skipped(prompt.name(), answer.problem());
    }

    private static ObjectNode answerOfOneToken(ObjectNode request) {
        return request.put("max_tokens", 1).put("temperature", 0).put("stream", false);
    }

    private Answer post(String path, ObjectNode body, Duration atMost) throws IOException, InterruptedException {
        return engine.post(replica, path, EngineClient.MAPPER.writeValueAsBytes(body.put("model", model)), atMost);
    }
}

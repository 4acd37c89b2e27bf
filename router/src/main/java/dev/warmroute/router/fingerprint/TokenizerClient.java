package dev.warmroute.router.fingerprint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a replica's {@code /tokenize} for the token ids of a request, with the chat template applied. Understands what vLLM
 * understands: {@code messages} (with {@code tools}) and {@code prompt}. Anthropic bodies are told as chat messages, the way
 * vLLM itself converts them, which it does exactly for text.
 */
final class TokenizerClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

    /** Token ids of a request's prompt; empty when the replica cannot say. */
    Optional<int[]> tokens(String replicaUrl, byte[] body) throws InterruptedException {
        try {
            JsonNode request = MAPPER.readTree(body);
            HttpRequest ask = HttpRequest.newBuilder(URI.create(replicaUrl + "/tokenize"))
                    .timeout(TIMEOUT)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(question(request))))
                    .build();
            HttpResponse<byte[]> answer = http.send(ask, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                return Optional.empty();
            }
            JsonNode tokens = MAPPER.readTree(answer.body()).path("tokens");
            int[] ids = new int[tokens.size()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = tokens.get(i).asInt();
            }
            return ids.length == 0 ? Optional.empty() : Optional.of(ids);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static ObjectNode question(JsonNode request) {
        ObjectNode question = MAPPER.createObjectNode();
        question.set("model", request.path("model"));
        if (request.has("prompt")) {
            question.set("prompt", request.get("prompt"));
            return question;
        }
        var messages = question.putArray("messages");
        if (request.has("system")) {
            messages.addObject().put("role", "system").set("content", request.get("system"));
        }
        request.path("messages").forEach(messages::add);
        if (request.has("tools")) {
            question.set("tools", request.get("tools"));
        }
        question.put("add_generation_prompt", true);
        return question;
    }
}

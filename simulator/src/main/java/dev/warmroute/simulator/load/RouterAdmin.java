package dev.warmroute.simulator.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** A running router's admin address: what is going on there for one model, and which policy decides. */
final class RouterAdmin implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final String address;
    private final String token;
    private final String model;

    /**
     * @param address {@code http://127.0.0.1:8081}
     * @param token for changes; empty for none
     */
    RouterAdmin(String address, String token, String model) {
        this.address = address.replaceAll("/+$", "");
        this.token = token;
        this.model = model;
    }

    /** The model's part of the status. */
    JsonNode status() {
        for (JsonNode m : ask("GET", "/warmroute/status", "").path("models")) {
            if (m.path("name").asText().equals(model)) {
                return m;
            }
        }
        throw new UserError("the router at " + address + " has no model '" + model + "'");
    }

    /** Another policy decides from the next request on. */
    void policy(String name, Map<String, String> parameters) {
        ObjectNode policy = JSON.createObjectNode().put("name", name);
        parameters.forEach(policy::put);
        String path = "/warmroute/models/" + URLEncoder.encode(model, StandardCharsets.UTF_8).replace("+", "%20");
        ask("PATCH", path, JSON.createObjectNode().set("policy", policy).toString());
    }

    private JsonNode ask(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .header("content-type", "application/json");
        if (!token.isEmpty()) {
            request.header("authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode json = answer.body().isEmpty() ? JSON.nullNode() : JSON.readTree(answer.body());
            if (answer.statusCode() / 100 != 2) {
                throw new UserError("the router at " + address + " answered " + method + " " + path + " with " + answer.statusCode()
                        + ": " + json.path("error").path("message").asText(answer.body()));
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new UserError("what answers at " + address + path + " is not a router's admin address", e);
        } catch (IOException e) {
            throw new UserError("the router's admin address " + address + " cannot be reached: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted while the router was asked", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}

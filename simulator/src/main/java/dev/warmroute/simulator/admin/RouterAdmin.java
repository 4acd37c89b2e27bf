package dev.warmroute.simulator.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.ModelChange;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A running router's admin address: what is going on there for one model, and which policy decides. A refusal is a
 * {@link UserError} with what the router said.
 */
public final class RouterAdmin implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final String address;
    private final String token;
    private final String model;

    /**
     * @param address {@code http://127.0.0.1:8081}
     * @param token for changes; empty for none
     */
    public RouterAdmin(String address, String token, String model) {
        this.address = checked(address);
        this.token = token;
        this.model = model;
    }

    private static String checked(String address) {
        try {
            URI uri = new URI(address);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return address.replaceAll("/+$", "");
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new UserError("a router's admin address looks like http://127.0.0.1:8081, not like '" + address + "'");
    }

    /**
     * A router that serves one model.
     *
     * @throws UserError if it serves several
     */
    public static RouterAdmin ofItsModel(String address, String token) {
        try (RouterAdmin any = new RouterAdmin(address, token, "")) {
            JsonNode models = any.ask("GET", "/warmroute/status", "").path("models");
            if (models.size() != 1) {
                List<String> names = new ArrayList<>();
                models.forEach(m -> names.add(m.path("name").asText()));
                throw new UserError("the router at " + any.address + " serves " + String.join(", ", names)
                        + ": say with --router-model which is meant");
            }
            return new RouterAdmin(address, token, models.path(0).path("name").asText());
        }
    }

    public String model() {
        return model;
    }

    /** The model's part of the status. */
    public JsonNode status() {
        for (JsonNode m : ask("GET", "/warmroute/status", "").path("models")) {
            if (m.path("name").asText().equals(model)) {
                return m;
            }
        }
        throw new UserError("the router at " + address + " has no model '" + model + "'");
    }

    /** Another policy decides from the next request on. */
    public void policy(String name, Map<String, String> parameters) {
        ask(
                "PATCH",
                path(""),
                JSON.createObjectNode()
                        .set("policy", policyJson(name, parameters))
                        .toString());
    }

    /**
     * What would decide if a policy were handed over: {@code name}, {@code version}, {@code config_hash} and {@code config}. The
     * router refuses what it would refuse then, and nothing is changed.
     *
     * @param inForce what it would replace, as {@code in_force} of the status names it
     */
    public JsonNode tried(String name, Map<String, String> parameters, String inForce) {
        ObjectNode change = JSON.createObjectNode().put(ModelChange.IN_FORCE, inForce);
        change.set("policy", policyJson(name, parameters));
        return ask("PATCH", path("?dry_run=true"), change.toString()).path("policy");
    }

    /**
     * Hands over a policy that has passed a check; returns the model's part of the status.
     *
     * @param checkHash hash of the check, which the router records
     * @param inForce what it replaces, as {@code in_force} of the status names it; refused if something else is in force
     */
    public JsonNode promote(String name, Map<String, String> parameters, String checkHash, String inForce) {
        ObjectNode change = JSON.createObjectNode()
                .put("by", "promote")
                .put("check_hash", checkHash)
                .put(ModelChange.IN_FORCE, inForce);
        change.set("policy", policyJson(name, parameters));
        return ask("PATCH", path(""), change.toString());
    }

    /**
     * Takes the last change of what decides back; returns the model's part of the status.
     *
     * @param inForce what is left, as {@code in_force} of the status names it; refused if something else is in force
     */
    public JsonNode rollBack(String inForce) {
        return ask(
                "POST",
                path("/rollback"),
                JSON.createObjectNode().put(ModelChange.IN_FORCE, inForce).toString());
    }

    private static ObjectNode policyJson(String name, Map<String, String> parameters) {
        ObjectNode policy = JSON.createObjectNode().put("name", name);
        parameters.forEach(policy::put);
        return policy;
    }

    private String path(String behind) {
        return "/warmroute/models/"
                + URLEncoder.encode(model, StandardCharsets.UTF_8).replace("+", "%20") + behind;
    }

    private JsonNode ask(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .header("content-type", "application/json");
        if (!token.isEmpty()) {
            request.header("authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode json = answer.body().isEmpty() ? JSON.nullNode() : JSON.readTree(answer.body());
            if (answer.statusCode() / 100 != 2) {
                throw new UserError(
                        "the router at " + address + " answered " + method + " " + path + " with " + answer.statusCode()
                                + ": " + json.path("error").path("message").asText(answer.body()));
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new UserError("what answers at " + address + path + " is not a router's admin address", e);
        } catch (IOException e) {
            throw new UserError(
                    "the router's admin address " + address + " cannot be reached"
                            + (e.getMessage() == null ? "" : ": " + e.getMessage()) + perhapsDone(method, e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted while the router was asked", e);
        }
    }

    /** A change whose answer is missing may have been made all the same. */
    private static String perhapsDone(String method, IOException e) {
        boolean sent = !(e instanceof ConnectException || e instanceof HttpConnectTimeoutException);
        return sent && !method.equals("GET")
                ? "; the change may have been made all the same: look at the status before you repeat it"
                : "";
    }

    @Override
    public void close() {
        http.close();
    }
}

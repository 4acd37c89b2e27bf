package dev.warmroute.router.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.UserError;
import dev.warmroute.router.admin.StatusReport.Changed;
import dev.warmroute.router.config.ConfigError;
import dev.warmroute.router.config.ConfigError.Problem;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.ModelChange;
import dev.warmroute.router.config.Quantities;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.figures.Figures.Flow;
import dev.warmroute.router.figures.ReplicaFigures;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.proxy.ProxyServer;
import dev.warmroute.router.proxy.ProxyStatus;
import dev.warmroute.router.proxy.ProxyStatus.ModelStatus;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.warm.Warmer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the operator may ask and change. Everything may be read; what changes something needs the token. A change is in force
 * when it is answered, and until the router is started again: {@code router.yaml} stays what it is.
 */
final class AdminApi {
    private static final Logger LOG = LoggerFactory.getLogger(AdminApi.class);
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int MOST_DECISIONS = 200;
    private static final String DRY_RUN = "dry_run";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final ProxyServer proxy;
    private final Warmer warmer;
    private final RouterServices services;
    private final String version;
    private final long startedUs;
    private final Panel panel = Panel.load();
    private final Map<String, Changed> changes = new ConcurrentHashMap<>();
    private final Routes routes;

    AdminApi(ProxyServer proxy, Warmer warmer, RouterServices services, Optional<String> token, String version) {
        this.proxy = proxy;
        this.warmer = warmer;
        this.services = services;
        this.version = version;
        this.startedUs = now();
        routes = new Routes(new AdminToken(token));
        routes.read("/health", (call, p) -> AdminAnswer.text(200, "ok\n"));
        routes.read("/ready", (call, p) -> readiness());
        routes.read("/metrics", (call, p) -> metrics());
        routes.read("/", (call, p) -> toPanel());
        routes.read("/warmroute", (call, p) -> toPanel());
        routes.read("/warmroute/", (call, p) -> panel.answer());
        routes.read("/warmroute/status", (call, p) -> AdminAnswer.json(StatusJson.of(report())));
        routes.read("/v1/status", (call, p) -> AdminAnswer.json(StatusJson.of(report())));
        routes.read("/warmroute/tokens", (call, p) -> AdminAnswer.json(tokens()));
        routes.read("/warmroute/decisions", (call, p) -> decisions(call));
        routes.read("/warmroute/policies", (call, p) -> AdminAnswer.json(policies()));
        routes.changeLater(
                "DELETE", "/v1/cache/prefix", (call, p) -> warmer.clear().thenApply(WarmJson::cleared));
        routes.change("PATCH", "/warmroute/models/{model}", (call, p) -> changeModel(p.get("model"), call));
        routes.change("POST", "/warmroute/models/{model}/rollback", (call, p) -> rollBack(p.get("model"), call));
        routes.change("POST", "/warmroute/models/{model}/replicas", (call, p) -> addReplica(p.get("model"), call));
        routes.change(
                "DELETE",
                "/warmroute/replicas/{id}",
                (call, p) -> changeReplica(p.get("id"), m -> m.without(p.get("id"))));
        routes.change("POST", "/warmroute/replicas/{id}/drain", (call, p) -> drain(p.get("id"), call));
        routes.change(
                "POST",
                "/warmroute/replicas/{id}/undrain",
                (call, p) -> changeReplica(p.get("id"), m -> m.serving(p.get("id"))));
    }

    /** Never fails; what takes its time is done when the other threads have done it. */
    CompletableFuture<AdminAnswer> answer(AdminCall call) {
        try {
            return routes.answer(call).exceptionally(failure -> stumbled(call, failure));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(stumbled(call, e));
        }
    }

    private static AdminAnswer stumbled(AdminCall call, Throwable failure) {
        LOG.error("{} {} could not be answered", call.method(), call.path(), failure);
        return new AdminRefusal(500, "the router stumbled over this request; its log says more").answer();
    }

    private long now() {
        return services.clock().epochMicros(services.clock().nanos());
    }

    private AdminAnswer readiness() {
        boolean ready = proxy.status().ready();
        return AdminAnswer.text(ready ? 200 : 503, ready ? "ready\n" : "a model has no replica that may be chosen\n");
    }

    private AdminAnswer metrics() {
        return new AdminAnswer(200, PROMETHEUS, PrometheusPage.of(report()).getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static AdminAnswer toPanel() {
        return AdminAnswer.text(308, "the panel is at /warmroute/\n").with("location", "/warmroute/");
    }

    private StatusReport report() {
        ProxyStatus status = proxy.status();
        long now = now();
        return new StatusReport(
                services.instance(),
                version,
                startedUs,
                now,
                status.totals(),
                services.prompts().totals(),
                status.models().stream().map(m -> model(m, now)).toList(),
                warmer.source(),
                services.kafka().get());
    }

    private StatusReport.Model model(ModelStatus model, long now) {
        Map<String, ReplicaFigures> figures = services.figures().replicas(model.name(), ids(model), now);
        return new StatusReport.Model(
                model,
                Optional.ofNullable(changes.get(model.name())),
                model.replicas().stream()
                        .map(r -> new StatusReport.Replica(
                                r, figures.get(r.id()), warmer.state(r.id()), warmer.cacheShare(r.id())))
                        .toList());
    }

    private static List<String> ids(ModelStatus model) {
        return model.replicas().stream().map(ReplicaRow::id).toList();
    }

    private ObjectNode tokens() {
        long now = now();
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("now_us", now);
        ArrayNode models = root.putArray("models");
        for (ModelStatus model : proxy.status().models()) {
            Flow flow = services.figures().flow(model.name(), ids(model), now);
            ObjectNode out = models.addObject().put("name", model.name()).put("step_seconds", flow.stepSeconds());
            ArrayNode steps = out.putArray("steps");
            for (int i = 0; i < flow.atUs().size(); i++) {
                steps.addArray()
                        .add(flow.atUs().get(i))
                        .add(flow.cached().get(i))
                        .add(flow.computed().get(i));
            }
        }
        return root;
    }

    private AdminAnswer decisions(AdminCall call) {
        String limit = call.query().getOrDefault("limit", "50");
        try {
            int n = Integer.parseInt(limit);
            if (n >= 1 && n <= MOST_DECISIONS) {
                return AdminAnswer.json(DecisionsJson.of(services.figures().decisions(n)));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        String expected = "must be a whole number from 1 to " + MOST_DECISIONS + ", not '" + limit + "'";
        throw new AdminRefusal(400, "limit: " + expected, List.of(new Problem("limit", expected)));
    }

    private static ObjectNode policies() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode list = root.putArray("policies");
        for (Policies p : Policies.values()) {
            list.addObject().put("name", p.policyName()).put("summary", p.summary());
        }
        return root;
    }

    private AdminAnswer changeModel(String model, AdminCall call) {
        requireModel(model);
        ModelChange change = wellFormed(() -> ModelChange.read(body(call)));
        if (dryRun(call)) {
            ObjectNode out =
                    JsonNodeFactory.instance.objectNode().put("name", model).put(DRY_RUN, true);
            StatusJson.policy(out.putObject("policy"), possible(() -> proxy.policyAfter(model, change)));
            return AdminAnswer.json(out);
        }
        if (possible(() -> proxy.change(model, change))) {
            changes.put(model, new Changed(change.by(), now()));
        }
        return modelAnswer(200, model);
    }

    /** Whether a change is only to be looked at. */
    private static boolean dryRun(AdminCall call) {
        String value = call.query().getOrDefault(DRY_RUN, "false");
        if (!value.equals("true") && !value.equals("false")) {
            String expected = "must be true or false, not '" + value + "'";
            throw new AdminRefusal(400, DRY_RUN + ": " + expected, List.of(new Problem(DRY_RUN, expected)));
        }
        return value.equals("true");
    }

    private AdminAnswer rollBack(String model, AdminCall call) {
        requireModel(model);
        String inForce = inForce(call);
        possible(() -> {
            proxy.rollBack(model, inForce);
            return model;
        });
        changes.put(model, new Changed(ModelChange.BY_ROLLBACK, now()));
        return modelAnswer(200, model);
    }

    /** What the caller believes to be in force: who asks twice must not go back twice. */
    private static String inForce(AdminCall call) {
        JsonNode body = call.body().length == 0 ? JsonNodeFactory.instance.objectNode() : body(call);
        JsonNode inForce = body.path(ModelChange.IN_FORCE);
        if (!inForce.isTextual() || body.size() != 1) {
            String expected = "must be what the model's status has there now, and all that is given";
            throw new AdminRefusal(
                    400, ModelChange.IN_FORCE + ": " + expected, List.of(new Problem(ModelChange.IN_FORCE, expected)));
        }
        return inForce.asText();
    }

    private AdminAnswer addReplica(String model, AdminCall call) {
        requireModel(model);
        ReplicaConfig replica = wellFormed(() -> ReplicaConfig.read(body(call)));
        changeMembers(m -> m.with(model, replica));
        return modelAnswer(201, model);
    }

    private AdminAnswer drain(String id, AdminCall call) {
        Duration stay = stay(call);
        return changeReplica(id, m -> m.draining(id, stay));
    }

    private static Duration stay(AdminCall call) {
        JsonNode body = call.body().length == 0 ? JsonNodeFactory.instance.objectNode() : body(call);
        String problem = "";
        for (String name : (Iterable<String>) body::fieldNames) {
            problem = name.equals("stay") ? problem : "there is only 'stay', not '" + name + "'";
        }
        String text = body.path("stay").asText("0");
        Optional<Duration> stay = Quantities.duration(text);
        if (!body.isObject() || !problem.isEmpty() || stay.isEmpty()) {
            String expected = problem.isEmpty() ? "must be a duration such as 3m or 0, not '" + text + "'" : problem;
            throw new AdminRefusal(400, "stay: " + expected, List.of(new Problem("stay", expected)));
        }
        return stay.get();
    }

    private AdminAnswer changeReplica(String id, UnaryOperator<Membership> change) {
        Membership before = proxy.membership();
        if (!before.has(id)) {
            throw new AdminRefusal(
                    404,
                    "there is no replica '" + id + "'; replicas: "
                            + String.join(
                                    ", ",
                                    before.all().map(m -> m.replica().id()).toList()));
        }
        String model = before.models().entrySet().stream()
                .filter(e ->
                        e.getValue().stream().anyMatch(m -> m.replica().id().equals(id)))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        changeMembers(change);
        return modelAnswer(200, model);
    }

    private void changeMembers(UnaryOperator<Membership> change) {
        possible(() -> proxy.change(change));
    }

    private void requireModel(String model) {
        if (!proxy.models().contains(model)) {
            throw new AdminRefusal(
                    404, "there is no model '" + model + "'; models: " + String.join(", ", proxy.models()));
        }
    }

    /** The model as it is now. */
    private AdminAnswer modelAnswer(int status, String name) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        report().models().stream().filter(m -> m.status().name().equals(name)).forEach(m -> StatusJson.model(out, m));
        return AdminAnswer.json(status, out);
    }

    private static <T> T wellFormed(Supplier<T> fromBody) {
        try {
            return fromBody.get();
        } catch (ConfigError e) {
            throw AdminRefusal.of(e);
        }
    }

    /** Something that is not possible as things are, although it is well-formed, is a conflict. */
    private static <T> T possible(Supplier<T> change) {
        try {
            return wellFormed(change);
        } catch (UserError e) {
            throw new AdminRefusal(409, e.getMessage());
        }
    }

    private static JsonNode body(AdminCall call) {
        try {
            JsonNode json = MAPPER.readTree(call.body());
            return json == null ? JsonNodeFactory.instance.missingNode() : json;
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            String expected = where + "must be JSON: "
                    + e.getOriginalMessage().lines().findFirst().orElse("");
            throw new AdminRefusal(400, "the body: " + expected, List.of(new Problem("", expected)));
        } catch (IOException e) {
            throw new AdminRefusal(400, "the body cannot be read: " + e.getMessage());
        }
    }
}

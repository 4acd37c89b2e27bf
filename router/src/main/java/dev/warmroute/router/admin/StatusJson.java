package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.proxy.ProxyStatus;
import dev.warmroute.router.proxy.ProxyStatus.ModelStatus;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.proxy.ProxyTotals;
import java.util.Map;

/** The status as JSON; what nobody has said is null, never 0. */
final class StatusJson {
    private StatusJson() {}

    static ObjectNode of(ProxyStatus status) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ProxyTotals t = status.totals();
        root.putObject("totals")
                .put("accepted", t.accepted())
                .put("finished", t.finished())
                .put("client_gone", t.clientGone())
                .put("replica_failed", t.replicaFailed())
                .put("refused", t.refused())
                .put("malformed", t.malformed())
                .put("retries", t.retries())
                .put("in_flight", t.open())
                .put("connections", t.connections());
        ArrayNode models = root.putArray("models");
        for (ModelStatus model : status.models()) {
            ObjectNode m = models.addObject();
            m.put("name", model.name()).put("ready", model.ready());
            ObjectNode policy = m.putObject("policy");
            policy.put("name", model.policy().name()).put("config_hash", model.policy().configHash());
            ObjectNode config = policy.putObject("config");
            model.policy().config().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(e -> config.put(e.getKey(), e.getValue()));
            ArrayNode replicas = m.putArray("replicas");
            model.replicas().forEach(r -> row(replicas.addObject(), r));
        }
        return root;
    }

    private static void row(ObjectNode row, ReplicaRow r) {
        row.put("id", r.id())
                .put("url", r.url())
                .put("eligible", r.eligible())
                .put("reason", r.eligible() ? null : r.reason())
                .put("engine_version", r.engineVersion().isEmpty() ? null : r.engineVersion())
                .put("in_flight", r.inFlight())
                .put("live_sessions", r.liveSessions());
        Signals s = r.signals();
        row.put("running", s.known() ? s.running() : null)
                .put("waiting", s.known() ? s.waiting() : null)
                .put("kv_usage", s.known() ? s.kvUsage() : null)
                .put("counters_age_ms", s.known() ? s.ageMillis() : null);
        ObjectNode decisions = row.putObject("decisions");
        for (Kind kind : Kind.values()) {
            decisions.put(kind.wireName(), r.totals().decisions(kind));
        }
        row.put("finished", r.totals().finished())
                .put("failed", r.totals().failed())
                .put("client_gone", r.totals().abandoned())
                .put("prompt_tokens", r.totals().promptTokens())
                .put("cached_tokens", r.totals().cachedTokens())
                .put("completion_tokens", r.totals().completionTokens());
    }
}

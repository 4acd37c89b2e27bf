package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.homes.HomesState;
import dev.warmroute.router.prompt.PromptTotals;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.proxy.ProxyTotals;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The status as JSON; what nobody has said is null, never 0. */
final class StatusJson {
    private StatusJson() {}

    static ObjectNode of(StatusReport report) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("instance", report.instance())
                .put("version", report.version())
                .put("now_us", report.nowUs())
                .put("uptime_seconds", (report.nowUs() - report.startedUs()) / (double) TimeUnit.SECONDS.toMicros(1))
                .put("ready", report.ready());
        totals(root.putObject("totals"), report.totals());
        prompts(root.putObject("prompts"), report.prompts());
        report.kafka().ifPresent(kafka -> kafka(root.putObject("kafka"), kafka));
        WarmJson.prompts(root.putObject("warm_prompts"), report);
        ArrayNode models = root.putArray("models");
        report.models().forEach(m -> model(models.addObject(), m));
        return root;
    }

    private static void totals(ObjectNode out, ProxyTotals t) {
        out.put("accepted", t.accepted())
                .put("finished", t.finished())
                .put("client_gone", t.clientGone())
                .put("replica_failed", t.replicaFailed())
                .put("refused", t.refused())
                .put("malformed", t.malformed())
                .put("turned_away", t.clientsTurnedAway())
                .put("retries", t.retries())
                .put("in_flight", t.open())
                .put("connections", t.connections());
    }

    private static void prompts(ObjectNode out, PromptTotals p) {
        out.put("in_tokens", p.inTokens())
                .put("in_bytes", p.inBytes())
                .put("dropped", p.dropped())
                .put("tokenizer_unanswered", p.unanswered());
    }

    private static void kafka(ObjectNode out, KafkaStatus kafka) {
        out.put("bootstrap", kafka.bootstrap())
                .put("embedded", kafka.embedded())
                .put("fault", kafka.fault().orElse(null));
        out.putObject("events")
                .put("published", kafka.events().published())
                .put("lost", kafka.events().lost())
                .put("buffered", kafka.events().buffered())
                .put("last_error", kafka.events().lastError().orElse(null));
        HomesState homes = kafka.homes();
        ArrayNode others = out.putObject("homes")
                .put("restored", homes.restored())
                .put("read", homes.homes())
                .put("problem", homes.problem().orElse(null))
                .putArray("other_salts");
        new TreeSet<>(homes.otherSalts()).forEach(others::add);
    }

    static void model(ObjectNode out, StatusReport.Model model) {
        out.put("name", model.status().name())
                .put("ready", model.status().ready())
                .put("max_num_seqs", model.status().config().maxNumSeqs())
                .put("affinity", model.status().config().affinity())
                .put("in_force", model.status().inForce())
                .put("held", model.status().held());
        policy(out.putObject("policy"), model.status().policy());
        model.status()
                .previous()
                .ifPresentOrElse(
                        p -> policy(out.putObject("previous").put("affinity", p.affinity()), p.policy()),
                        () -> out.putNull("previous"));
        ObjectNode configured = out.putObject("configured")
                .put("policy", model.status().config().policy());
        sorted(configured.putObject("parameters"), model.status().config().policyParameters());
        model.changed()
                .ifPresentOrElse(
                        c -> out.putObject("changed")
                                .put("by", c.by())
                                .put("at_us", c.atUs())
                                .put("check_hash", model.status().checkHash().orElse(null)),
                        () -> out.putNull("changed"));
        ArrayNode replicas = out.putArray("replicas");
        model.replicas().forEach(r -> replica(replicas.addObject(), r));
    }

    static void policy(ObjectNode out, PolicyIdentity policy) {
        out.put("name", policy.name()).put("version", policy.version()).put("config_hash", policy.configHash());
        sorted(out.putObject("config"), policy.config());
    }

    private static void sorted(ObjectNode out, Map<String, String> map) {
        map.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(e -> out.put(e.getKey(), e.getValue()));
    }

    private static void replica(ObjectNode out, StatusReport.Replica replica) {
        ReplicaRow row = replica.row();
        out.put("id", row.id())
                .put("url", row.url())
                .put("eligible", row.eligible())
                .put("reason", row.eligible() ? null : row.reason())
                .put("draining", row.draining())
                .put("engine_version", row.engineVersion().isEmpty() ? null : row.engineVersion());
        for (ReplicaMetric metric : ReplicaMetric.values()) {
            if (!metric.statusName().isEmpty()) {
                number(out, metric.statusName(), metric.value(replica));
            }
        }
        WarmJson.cache(out.putObject("cache"), replica);
        WarmJson.warmUp(out.putObject("warmup"), replica);
        ObjectNode decisions = out.putObject("decisions");
        for (Kind kind : Kind.values()) {
            decisions.put(kind.wireName(), row.totals().decisions(kind));
        }
    }

    /** Whole numbers without a fraction. */
    private static void number(ObjectNode out, String name, OptionalDouble value) {
        if (value.isEmpty()) {
            out.putNull(name);
        } else if (value.getAsDouble() == Math.rint(value.getAsDouble())) {
            out.put(name, (long) value.getAsDouble());
        } else {
            out.put(name, value.getAsDouble());
        }
    }
}

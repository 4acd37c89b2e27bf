package dev.warmroute.router.admin;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.proxy.ProxyStatus;
import dev.warmroute.router.proxy.ProxyStatus.ModelStatus;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.proxy.ProxyTotals;
import java.util.function.ToDoubleFunction;

/** The router's counters in Prometheus' text format, version 0.0.4. */
final class PrometheusPage {
    private final StringBuilder page = new StringBuilder(4_096);
    private final ProxyStatus status;

    private PrometheusPage(ProxyStatus status) {
        this.status = status;
    }

    static String of(ProxyStatus status) {
        return new PrometheusPage(status).page();
    }

    private String page() {
        ProxyTotals t = status.totals();
        family("warmroute_requests_total", "counter", "Requests by who ended them.");
        sample("warmroute_requests_total", "ended_by=\"finished\"", t.finished());
        sample("warmroute_requests_total", "ended_by=\"client\"", t.clientGone());
        sample("warmroute_requests_total", "ended_by=\"replica\"", t.replicaFailed());
        sample("warmroute_requests_total", "ended_by=\"router\"", t.refused());
        single("warmroute_requests_malformed_total", "counter", "Requests refused for their form.", t.malformed());
        single("warmroute_retries_total", "counter", "Requests sent a second time.", t.retries());
        single("warmroute_requests_in_flight", "gauge", "Requests that have not ended.", t.open());
        single("warmroute_client_connections", "gauge", "Open connections of clients.", t.connections());
        replicas("warmroute_replica_eligible", "gauge", "Whether the replica may be chosen.", r -> r.eligible() ? 1 : 0);
        replicas("warmroute_replica_in_flight", "gauge", "Requests sent there that have not ended.", ReplicaRow::inFlight);
        replicas("warmroute_replica_live_sessions", "gauge", "Conversations at home there that spoke lately.", ReplicaRow::liveSessions);
        replicas("warmroute_replica_finished_total", "counter", "Requests answered to their end.", r -> r.totals().finished());
        replicas("warmroute_replica_failed_total", "counter", "Requests not answered to their end.", r -> r.totals().failed());
        replicas("warmroute_replica_prompt_tokens_total", "counter", "Prompt tokens where the engine reported them.", r -> r.totals().promptTokens());
        replicas("warmroute_replica_cached_tokens_total", "counter", "Of these, found in the prefix cache.", r -> r.totals().cachedTokens());
        replicas("warmroute_replica_completion_tokens_total", "counter", "Generated tokens where the engine reported them.", r -> r.totals().completionTokens());
        family("warmroute_decisions_total", "counter", "Routing decisions by kind.");
        for (ModelStatus model : status.models()) {
            for (ReplicaRow r : model.replicas()) {
                for (Kind kind : Kind.values()) {
                    sample(
                            "warmroute_decisions_total",
                            labels(model, r) + ",kind=\"" + kind.wireName() + '"',
                            r.totals().decisions(kind));
                }
            }
        }
        return page.toString();
    }

    private void replicas(String name, String type, String help, ToDoubleFunction<ReplicaRow> value) {
        family(name, type, help);
        for (ModelStatus model : status.models()) {
            for (ReplicaRow r : model.replicas()) {
                sample(name, labels(model, r), value.applyAsDouble(r));
            }
        }
    }

    private static String labels(ModelStatus model, ReplicaRow replica) {
        return "model=\"" + escaped(model.name()) + "\",replica=\"" + escaped(replica.id()) + '"';
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private void single(String name, String type, String help, double value) {
        family(name, type, help);
        sample(name, "", value);
    }

    private void family(String name, String type, String help) {
        page.append("# HELP ").append(name).append(' ').append(help).append('\n');
        page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(String name, String labels, double value) {
        page.append(name);
        if (!labels.isEmpty()) {
            page.append('{').append(labels).append('}');
        }
        page.append(' ');
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            page.append((long) value);
        } else {
            page.append(value);
        }
        page.append('\n');
    }
}

package dev.warmroute.router.admin;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.homes.HomesState;
import dev.warmroute.router.prompt.PromptTotals;
import dev.warmroute.router.proxy.ProxyTotals;
import dev.warmroute.router.publish.PublisherStats;
import java.util.Locale;
import java.util.OptionalDouble;

/** The status in Prometheus' text format, version 0.0.4. */
final class PrometheusPage {
    private final StringBuilder page = new StringBuilder(4_096);
    private final StatusReport report;

    private PrometheusPage(StatusReport report) {
        this.report = report;
    }

    static String of(StatusReport report) {
        return new PrometheusPage(report).page();
    }

    private String page() {
        ProxyTotals t = report.totals();
        family("warmroute_requests_total", "counter", "Requests by who ended them.");
        sample("warmroute_requests_total", "ended_by=\"finished\"", t.finished());
        sample("warmroute_requests_total", "ended_by=\"client\"", t.clientGone());
        sample("warmroute_requests_total", "ended_by=\"replica\"", t.replicaFailed());
        sample("warmroute_requests_total", "ended_by=\"router\"", t.refused());
        single("warmroute_requests_malformed_total", "counter", "Requests refused for their form.", t.malformed());
        single(
                "warmroute_clients_turned_away_total",
                "counter",
                "Clients turned away, as many connections were open as the limit of open files allows.",
                t.clientsTurnedAway());
        single("warmroute_retries_total", "counter", "Requests sent a second time.", t.retries());
        single("warmroute_requests_in_flight", "gauge", "Requests that have not ended.", t.open());
        single("warmroute_client_connections", "gauge", "Open connections of clients.", t.connections());
        prompts(report.prompts());
        report.kafka().ifPresent(kafka -> {
            events(kafka.events());
            homes(kafka.homes());
        });
        family("warmroute_requests_held", "gauge", "Requests that wait here for a place.");
        for (StatusReport.Model model : report.models()) {
            sample(
                    "warmroute_requests_held",
                    "model=\"" + escaped(model.status().name()) + '"',
                    model.status().held());
        }
        for (ReplicaMetric metric : ReplicaMetric.values()) {
            replicas(metric);
        }
        decisions();
        return page.toString();
    }

    private void prompts(PromptTotals prompts) {
        family("warmroute_prompts_told_total", "counter", "Prompts told, by what their blocks count.");
        sample("warmroute_prompts_told_total", "unit=\"tokens\"", prompts.inTokens());
        sample("warmroute_prompts_told_total", "unit=\"bytes\"", prompts.inBytes());
        single(
                "warmroute_prompts_dropped_total",
                "counter",
                "Prompts not told, too many were waiting.",
                prompts.dropped());
        single(
                "warmroute_tokenizer_unanswered_total",
                "counter",
                "Questions that a replica's tokenizer did not answer.",
                prompts.unanswered());
    }

    private void events(PublisherStats events) {
        single("warmroute_events_published_total", "counter", "Events that Kafka confirmed.", events.published());
        single("warmroute_events_lost_total", "counter", "Events given up.", events.lost());
        single("warmroute_events_buffered", "gauge", "Events that wait for Kafka.", events.buffered());
    }

    private void homes(HomesState homes) {
        single(
                "warmroute_homes_restored",
                "gauge",
                "Whether the homes of earlier runs have been read.",
                homes.restored() ? 1 : 0);
        single("warmroute_homes_read_total", "counter", "Records of homes read.", homes.homes());
    }

    private void replicas(ReplicaMetric metric) {
        family(metric.metricName(), metric.type().name().toLowerCase(Locale.ROOT), metric.help());
        for (StatusReport.Model model : report.models()) {
            for (StatusReport.Replica r : model.replicas()) {
                OptionalDouble value = metric.value(r);
                if (value.isPresent()) {
                    sample(metric.metricName(), labels(model, r), value.getAsDouble());
                }
            }
        }
    }

    private void decisions() {
        family("warmroute_decisions_total", "counter", "Routing decisions by kind.");
        for (StatusReport.Model model : report.models()) {
            for (StatusReport.Replica r : model.replicas()) {
                for (Kind kind : Kind.values()) {
                    sample(
                            "warmroute_decisions_total",
                            labels(model, r) + ",kind=\"" + kind.wireName() + '"',
                            r.row().totals().decisions(kind));
                }
            }
        }
    }

    private static String labels(StatusReport.Model model, StatusReport.Replica replica) {
        return "model=\"" + escaped(model.status().name()) + "\",replica=\""
                + escaped(replica.row().id()) + '"';
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

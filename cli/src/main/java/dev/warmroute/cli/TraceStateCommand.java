package dev.warmroute.cli;

import dev.warmroute.recorder.trace.Moment;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.RouterState;
import dev.warmroute.recorder.verify.StateReplay;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace state}: what the router believed at a moment. */
@Command(
        name = "state",
        description =
                "Says what the routers believed at a moment of a trace: policy, replicas, requests in flight, counters, homes.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nMoments:%n",
        footer = {
            "  2026-11-30T08:00:00Z   after everything that had happened by this time (RFC 3339)",
            "  +90s, +5m, +1h         the same, counted from the trace's first event",
            "  decisions/0:4711       just after the event at this offset of this partition",
            "  4711                   the same, where the decisions have one partition",
            "",
            "Example:",
            "  warmroute trace state ./warmroute-demo/trace --at +10s"
        })
final class TraceStateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Option(names = "--at", required = true, paramLabel = "MOMENT", description = "The moment; see below.")
    private String at;

    @Option(
            names = "--homes",
            description = "Homes and requests to list (default: ${DEFAULT-VALUE}); --json lists all.")
    private int listed = 10;

    @Override
    public Integer call() {
        RouterState state = StateReplay.at(Recording.openRecorded(directory), Moment.parse(at));
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(state, out);
        } else {
            print(state, out);
        }
        return ExitCode.DONE;
    }

    private void print(RouterState s, PrintWriter out) {
        out.printf("at         %s, after %,d events; the last is %s%n", s.at(), s.events(), s.lastEvent());
        s.routers()
                .forEach(r -> out.printf(
                        "router     %s, started %d%s: %s, at number %,d%n",
                        r.instance(),
                        r.epoch(),
                        r.version().map(v -> ", version " + v).orElse(""),
                        r.running() ? "running" : "stopped",
                        r.sequence()));
        s.models().forEach(m -> print(m, out));
        if (!s.engines().isEmpty()) {
            out.println();
            TextTable engines =
                    new TextTable("engine", "read", "epoch", "running", "waiting", "KV", "prompt tokens", "cached");
            s.engines()
                    .forEach(e -> engines.row(
                            e.replica() + (e.engine() == 0 ? "" : "/" + e.engine()),
                            Figures.seconds(OptionalDouble.of(e.ageSeconds())) + " s ago",
                            Integer.toString(e.epoch()),
                            figure(e.gauges(), "num_requests_running"),
                            figure(e.gauges(), "num_requests_waiting"),
                            share(e.gauges(), "kv_cache_usage_perc"),
                            figure(e.totals(), "prompt_tokens"),
                            figure(e.totals(), "prompt_tokens_cached")));
            engines.print(out);
        }
        out.printf("%nin flight  %,d%n", s.inFlight().size());
        s.inFlight().stream()
                .limit(listed)
                .forEach(f -> out.printf(
                        "  %s  %s on %s for %.3f s%n",
                        f.request(),
                        f.session().isEmpty() ? "(no conversation)" : f.session(),
                        f.replica(),
                        f.seconds()));
        out.printf("homes      %,d%n", s.homes().size());
        s.homes().stream()
                .limit(listed)
                .forEach(h -> out.printf("  %s  %s  %s%n", h.session(), h.model(), h.replica()));
    }

    private static void print(RouterState.Model m, PrintWriter out) {
        out.printf(
                "%nmodel      %s at %s: %s%n",
                m.model(),
                m.router(),
                m.policy()
                        .map(p -> p.name() + " v" + p.version() + " ("
                                + p.config().entrySet().stream()
                                        .sorted(Map.Entry.comparingByKey())
                                        .map(e -> e.getKey() + "=" + e.getValue())
                                        .collect(Collectors.joining(", "))
                                + ")")
                        .orElse("policy unknown"));
        TextTable table = new TextTable("replica", "in flight", "homes", "live", "state");
        m.replicas()
                .forEach(r -> table.row(
                        r.replica(),
                        Integer.toString(r.inFlight()),
                        Figures.count(r.homes()),
                        Integer.toString(r.liveSessions()),
                        r.usable() ? "usable" : r.reason()));
        table.print(out);
    }

    private static String share(Map<String, Double> figures, String name) {
        Double value = figures.get(name);
        return value == null ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * value);
    }

    private static String figure(Map<String, Double> figures, String name) {
        Double value = figures.get(name);
        return value == null ? "-" : Figures.plain(value);
    }
}

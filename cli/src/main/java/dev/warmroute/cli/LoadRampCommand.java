package dev.warmroute.cli;

import dev.warmroute.export.report.RampCharts;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.load.AgentLoadOptions;
import dev.warmroute.simulator.load.Ramp;
import dev.warmroute.simulator.load.RampRow;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code load ramp}: the published benchmark against any fleet behind a router. */
@Command(
        name = "ramp",
        description =
                "Runs more and more agent sessions through a router, at each step under one policy after the other, and writes"
                        + " the columns of the published table with its charts. The router's policy is put back at the end.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  warmroute load ramp --endpoint http://127.0.0.1:8080 --admin http://127.0.0.1:8081 --model qwen3-4b"
                    + " --sessions 4,8,16,24,32 --arms random,warden,fit --seconds 180"
        })
final class LoadRampCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private AgentOptions agents;

    @Option(
            names = "--admin",
            paramLabel = "URL",
            description = "The router's admin address (default: ${DEFAULT-VALUE}).")
    private String admin = "http://127.0.0.1:8081";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:WARMROUTE_ADMIN_TOKEN:-}",
            description = "The router's admin token (default: $WARMROUTE_ADMIN_TOKEN).")
    private String token;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            split = ",",
            defaultValue = "4,8,16,24,32",
            description = "Sessions at the same time, a step each (default: ${DEFAULT-VALUE}).")
    private List<Integer> sessions;

    @Option(
            names = "--arms",
            paramLabel = "POLICY",
            split = ",",
            defaultValue = "random,warden,fit",
            converter = PolicyOption.class,
            description = "Policies at each step, in order; parameters follow with colons (default: ${DEFAULT-VALUE}).")
    private List<PolicyChoice> arms;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where ramp.csv and the charts go (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("warmroute-ramp");

    /** The answer as JSON. */
    record Result(double seconds, double speed, List<RampRow> rows) {}

    @Override
    public Integer call() {
        PrintWriter printer = spec.commandLine().getOut();
        AgentLoadOptions load = agents.options();
        Path table = out.resolve("ramp.csv");
        List<RampRow> ended = new ArrayList<>();
        List<RampRow> rows;
        Ramp ramp = new Ramp(load, sessions, arms);
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            rows = UntilStopped.run(
                    () -> ramp.run(
                            admin,
                            token,
                            (n, arm, answered) ->
                                    progress.update(n + " sessions, " + arm + ": " + answered + " requests answered"),
                            row -> {
                                ended.add(row);
                                // After every arm, so that hours of them do not hang on the last.
                                WholeFile.save(table, RampRow.csv(ended));
                            }),
                    ramp::stop);
        }
        WholeFile.save(table, RampRow.csv(rows)); // again: being stopped may have cut the last time short
        if (rows.isEmpty()) {
            throw new UserError("stopped before the first arm had ended; the router's policy is put back");
        }
        new RampCharts(
                        rows,
                        "load ramp against " + load.endpoint() + ", " + Figures.plain(load.seconds()) + " s an arm")
                .write(out);
        if (rows.size() < sessions.size() * arms.size()) {
            spec.commandLine()
                    .getErr()
                    .println("stopped after " + rows.size() + " of " + sessions.size() * arms.size()
                            + " arms; the router's policy is put back");
        }
        if (json.wanted()) {
            json.print(new Result(load.seconds(), load.speed(), rows), printer);
        } else {
            print(rows, printer);
            printer.println("Table and charts: " + out);
        }
        return rows.stream().anyMatch(r -> r.requests() > 0 && r.failures() == r.requests())
                ? ExitCode.FAILED
                : ExitCode.DONE;
    }

    private static void print(List<RampRow> rows, PrintWriter printer) {
        TextTable text = new TextTable(
                "SESSIONS",
                "arm",
                "sessions/h",
                "tok/min",
                "TTFB p50 s",
                "p95 s",
                "busy",
                "hit %",
                "stayed %",
                "session p50 s",
                "p95 s",
                "failed",
                "held");
        for (RampRow r : rows) {
            text.row(
                    Integer.toString(r.sessions()),
                    r.arm(),
                    Figures.fixed(OptionalDouble.of(r.sessionsPerHour()), 0),
                    Figures.fixed(OptionalDouble.of(r.outputTokensPerMin()), 0),
                    Figures.seconds(r.ttfbP50S()),
                    Figures.seconds(r.ttfbP95S()),
                    Figures.fixed(OptionalDouble.of(r.replicasBusy()), 2),
                    Figures.fixed(r.prefixHitPct(), 1),
                    Figures.fixed(r.stayedPct(), 1),
                    Figures.seconds(r.sessionP50S()),
                    Figures.seconds(r.sessionP95S()),
                    Integer.toString(r.failures()),
                    Integer.toString(r.mostHeld()));
        }
        text.print(printer);
    }
}

package dev.warmroute.cli;

import dev.warmroute.simulator.load.AgentLoad;
import dev.warmroute.simulator.load.AgentLoadOptions;
import dev.warmroute.simulator.load.AgentLoadResult;
import dev.warmroute.simulator.load.AgentLoadSummary;
import java.io.PrintWriter;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code load agents}: closed-loop agent sessions. */
@Command(
        name = "agents",
        description =
                "Runs agent sessions that resend their whole history every turn, wait for the answer and pause as tools do.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  warmroute load agents --endpoint http://127.0.0.1:8080 --model qwen3-4b --sessions 8"
        })
final class LoadAgentsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private AgentOptions agents;

    private final AgentLoadOptions defaults = AgentLoadOptions.defaults();

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "Sessions at the same time (default: ${DEFAULT-VALUE}).")
    private int sessions = defaults.sessions();

    @Option(
            names = "--arm",
            paramLabel = "NAME",
            description = "Goes into the session ids (default: ${DEFAULT-VALUE}).")
    private String arm = defaults.arm();

    @Override
    public Integer call() {
        AgentLoadOptions options = agents.options().withSessions(sessions).withArm(arm);
        AtomicInteger answered = new AtomicInteger();
        AgentLoadResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = AgentLoad.run(options, r -> progress.update(answered.incrementAndGet() + " requests answered"));
        }
        AgentLoadSummary s = result.summary();
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(s, out);
        } else {
            print(s, out);
        }
        return s.requests() > 0 && s.failures() == s.requests() ? ExitCode.FAILED : ExitCode.DONE;
    }

    private static void print(AgentLoadSummary s, PrintWriter out) {
        out.printf(
                "%d requests, %d failed; %d sessions finished, %d under way%n",
                s.requests(), s.failures(), s.sessionsFinished(), s.sessionsUnfinished());
        if (!s.firstError().isEmpty()) {
            out.println("first error: " + s.firstError());
        }
        TextTable table = new TextTable("", "hit %", "tok/min", "TTFB p50 s", "p95 s", "session p50 s", "p95 s");
        table.row(
                s.speed() == 1 ? "measured" : "model time (" + Figures.plain(s.speed()) + "x)",
                Figures.fixed(s.hitPercent(), 1),
                Figures.fixed(OptionalDouble.of(s.outputTokensPerMinute()), 0),
                Figures.seconds(s.ttfbP50()),
                Figures.seconds(s.ttfbP95()),
                Figures.seconds(s.sessionP50()),
                Figures.seconds(s.sessionP95()));
        table.print(out);
    }
}

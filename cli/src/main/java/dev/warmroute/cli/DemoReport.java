package dev.warmroute.cli;

import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.export.report.ReportFormat;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.PolicyRow;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/** The demo's findings, as a report and on the terminal. */
final class DemoReport {
    private DemoReport() {}

    static void write(DemoAnalysis analysis, Verification verification, Path out) {
        ReportBuilder report = new ReportBuilder("warmroute demo: four replicas, below and above the knee")
                .machine("4 stand-in replicas with the cache and the step times of an RTX A4000 with Qwen3-4B")
                .command("warmroute demo")
                .version(BuildVersion.version())
                .baseline("random")
                .offsets(verification.decisions() + " decisions, " + verification.mismatches() + " not derivable")
                .capacity(analysis.capacity());
        analysis.whatIf()
                .forEach((sessions, result) -> report.whatIf(sessions + " sessions", OptionalInt.of(sessions), result));
        analysis.measured()
                .forEach((arm, measured) ->
                        report.compare(arm.sessions() + " sessions", measured, predicted(analysis, arm)));
        int most = analysis.whatIf().keySet().stream().max(Integer::compare).orElseThrow();
        analysis.whatIf()
                .get(most)
                .policies()
                .forEach(row -> analysis.inside().run(row.policy()).ifPresent(r -> report.run(most + " sessions", r)));
        ReportFormat.write(report.build(), out);
    }

    static void print(DemoAnalysis analysis, Verification verification, PrintWriter out) {
        out.println();
        TextTable table = new TextTable(
                "SESSIONS, POLICY",
                "hit % measured",
                "predicted",
                "tok/min measured",
                "predicted",
                "TTFT p50 s measured",
                "predicted",
                "stayed %");
        for (Map.Entry<DemoArm, PolicyRow> arm : analysis.measured().entrySet()) {
            PolicyRow m = arm.getValue();
            PolicyRow p = predicted(analysis, arm.getKey());
            table.row(
                    arm.getKey().title(),
                    Figures.fixed(m.hitPct(), 1),
                    Figures.fixed(p.hitPct(), 1),
                    Figures.fixed(m.outputTokensPerMin(), 0),
                    Figures.fixed(p.outputTokensPerMin(), 0),
                    Figures.seconds(m.ttftP50S()),
                    Figures.seconds(p.ttftP50S()),
                    Figures.fixed(m.stayedPct(), 0));
        }
        table.print(out);
        out.println();
        out.printf(
                "verify    %,d decisions derived again from their own events, %,d mismatches%n",
                verification.decisions(), verification.mismatches());
        CapacityResult c = analysis.capacity();
        c.verdict()
                .ifPresent(v -> out.printf(
                        "capacity  %d sessions: %s; %s%n",
                        c.rule().orElseThrow().machine().sessions(),
                        v.wireName().replace('_', ' '),
                        c.sessionsFit()
                                .map(f -> f.low() + " to " + f.high() + " would fit")
                                .orElse("")));
    }

    private static PolicyRow predicted(DemoAnalysis analysis, DemoArm arm) {
        return analysis.whatIf().get(arm.sessions()).row(arm.policy()).orElseThrow();
    }
}

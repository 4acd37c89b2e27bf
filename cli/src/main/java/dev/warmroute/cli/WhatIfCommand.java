package dev.warmroute.cli;

import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code whatif}: the same traffic under other policies and fleets. */
@Command(
        name = "whatif",
        description = "Replays a trace or a workload under several policies on a simulated fleet.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute whatif workload:lm-warden --sessions 16 --policy random,warden",
            "  warmroute whatif mooncake:conversation_trace.jsonl --replicas 8 --policy round_robin,warden",
            "  warmroute whatif workload:lm-warden --sessions 16 --policy random,warden --report what-if.html",
            "  warmroute whatif workload:lm-warden --sessions 16 --warm-prompts auto:1 --policy warden",
            "  warmroute whatif workload:lm-warden --sessions 16 --model Qwen3-4B --gpu 'RTX A4000' --kv-dtype fp8"
        })
final class WhatIfCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private WhatIfOptions options;

    @Mixin
    private ReportOption report;

    @Mixin
    private WarmPromptsOption warmPrompts;

    @Parameters(
            paramLabel = "TRACE",
            description = "A trace directory, FORMAT:FILE (trace formats lists them), or workload:NAME.")
    private String trace;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            split = ",",
            defaultValue = "random,warden",
            converter = PolicyOption.class,
            description = "Policies to compare, separated by commas; parameters follow with colons, as in"
                    + " warden:overflow_threshold=4 (default: ${DEFAULT-VALUE}).")
    private List<PolicyChoice> policies;

    @Option(
            names = "--timing-out",
            paramLabel = "FILE",
            description = "Write the step times learnt from the recording, with their residuals, for --timing-profile.")
    private Path timingOut;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        json.prepare(WhatIfResult.class);
        report.prepare();
        WhatIfQuestion cold = options.ask(trace, policies);
        WhatIfQuestion question = cold.warmed(warmPrompts.of(cold));
        if (timingOut != null) {
            question.learntTiming(trace).write(timingOut);
        }
        WhatIfReport inside = new WhatIfReport(
                question.request().subject(), question.request().fleet());
        WhatIfResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = question.answer(progress, report.wanted() ? inside : WhatIf.Watcher.NOBODY);
        }
        if (report.wanted()) {
            write(inside, result, question);
        }
        if (json.wanted()) {
            json.print(result, out);
        } else {
            WhatIfText.print(
                    result, question.recorded().map(RecordedRun::doubtful).orElse(""), out);
        }
        return ExitCode.DONE;
    }

    private void write(WhatIfReport inside, WhatIfResult result, WhatIfQuestion question) {
        ReportBuilder page = ReportOption.begin("What if: ", trace, spec)
                .doubtful(question.recorded().map(RecordedRun::doubtful).orElse(""));
        ReportOption.describe(page, trace);
        question.read().ifPresent(t -> WhatIfReport.describe(page, t, question.chosen(), options.sessions()));
        inside.fill(page, result);
        report.write(page, spec.commandLine().getErr());
    }
}

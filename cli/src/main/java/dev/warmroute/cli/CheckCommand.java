package dev.warmroute.cli;

import dev.warmroute.simulator.gate.CheckResult;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code check}: whether a policy does on a trace what it has to. */
@Command(
        name = "check",
        description =
                "Replays a trace under a policy and says whether assertions hold, and how sure that is. Exits with 3 when one"
                        + " does not.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  echo 'policy: {name: warden, overflow_threshold: 4}' > policy.yaml",
            "  warmroute check policy.yaml --trace workload:lm-warden --sessions 8 --assert 'hit>=70%%'"
                    + " --assert 'ttft_p95<=5s'",
            "  warmroute check policy.yaml --trace trace --assert 'ttft_p95<=1.1*baseline' --assert fits --junit check.xml"
        })
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private CheckOptions options;

    @Override
    public Integer call() {
        options.require(spec.commandLine());
        json.prepare(CheckResult.class);
        PrintWriter out = spec.commandLine().getOut();
        CheckResult result = options.check(
                options.policy(), Optional.empty(), spec.commandLine().getErr());
        if (json.wanted()) {
            json.print(result, out);
        } else {
            CheckText.print(result, out);
        }
        return result.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }
}

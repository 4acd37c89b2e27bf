package dev.warmroute.cli;

import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.PolicyFile;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.Study;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.gate.Assertion;
import dev.warmroute.simulator.gate.CheckResult;
import dev.warmroute.simulator.gate.Gate;
import dev.warmroute.simulator.gate.JUnitXml;
import dev.warmroute.simulator.gate.JudgeBy;
import dev.warmroute.simulator.gate.MarkdownSummary;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** A check of a policy: what is checked, on what, and what it has to show. */
final class CheckOptions {
    @Parameters(
            paramLabel = "POLICY.yaml",
            arity = "0..1",
            description =
                    "A policy as in router.yaml: a name, or a map of name and parameters, alone or under the key 'policy'.")
    private Path policyFile;

    @Option(
            names = "--trace",
            paramLabel = "TRACE",
            description = "What to check it on: a trace directory, FORMAT:FILE, or workload:NAME.")
    private String trace;

    @Option(
            names = "--assert",
            paramLabel = "ASSERTION",
            description =
                    "What must hold, as in hit>=70%%, ttft_p95<=10s, ttft_p95<=1.1*baseline, hit>=baseline-1pp or fits; may be"
                            + " repeated. The metrics are the fields of whatif.")
    private List<String> assertions = List.of();

    @Option(
            names = "--baseline",
            paramLabel = "POLICY",
            converter = PolicyOption.class,
            description =
                    "Policy that 'baseline' stands for, as in whatif (default: the recorded one; of promote, the router's own).")
    private PolicyChoice baseline;

    @Option(
            names = "--judge-by",
            paramLabel = "WHAT",
            description =
                    "What must be on the right side of a bound: the whole 95 %% interval (interval, the default), or the"
                            + " figure alone (figure).")
    private JudgeBy judgeBy = JudgeBy.INTERVAL;

    @Option(
            names = "--accept-unfaithful",
            description = "Let a policy pass on a recording whose own replay is off by more than --tolerance.")
    private boolean acceptUnfaithful;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the check as JUnit XML.")
    private Path junit;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write the check as Markdown, for a merge request.")
    private Path markdown;

    @Mixin
    private WhatIfOptions replaying;

    /** Refuses a command line that does not say what to check. */
    void require(CommandLine line) {
        if (policyFile == null) {
            throw new ParameterException(line, "Missing required parameter: 'POLICY.yaml'");
        }
        if (trace == null) {
            throw new ParameterException(line, "Missing required option: '--trace=TRACE'");
        }
        if (assertions.isEmpty()) {
            throw new ParameterException(
                    line, "Missing required option: '--assert=ASSERTION', as in --assert 'hit>=70%'");
        }
    }

    /** Whether anything was said of a check. */
    boolean given() {
        return policyFile != null || trace != null || !assertions.isEmpty();
    }

    FleetOptions fleet() {
        return replaying.fleet();
    }

    PolicyChoice policy() {
        PolicyFile policy = PolicyFile.read(policyFile);
        return new PolicyChoice(policy.name(), policy.parameters());
    }

    /**
     * Checks, and writes the files that were asked for.
     *
     * @param inForce the policy that decides at the router, which the new one is held against before that of the recording
     */
    CheckResult check(PolicyChoice policy, Optional<PolicyChoice> inForce, PrintWriter err) {
        List<Assertion> parsed = assertions.stream().map(Assertion::parse).toList();
        WhatIfQuestion replay = replaying.ask(trace, List.of(policy));
        Gate.seeds(replay.request().seeds());
        Gate gate = new Gate(policy, baseline(parsed, replay, inForce), parsed, judgeBy, acceptUnfaithful);
        WhatIfRequest request = replay.request().withPolicies(gate.policies());
        CheckResult result;
        try (Progress progress = new Progress(err)) {
            Optional<CapacityResult> capacity = gate.asksWhetherItFits()
                    ? Optional.of(
                            CheckedCapacity.of(replay, policy, replaying.sessions(), said(progress, "simulated ")))
                    : Optional.empty();
            Study study = WhatIf.study(request, said(progress, "replayed "));
            Optional<SelfReplay> selfReplay = replay.selfReplay();
            List<String> notes = new ArrayList<>(replay.notes());
            if (replay.recorded().isPresent() && selfReplay.isEmpty()) {
                notes.add(
                        "the recording was not replayed as it was, by which the simulator could be judged: times are left out, or"
                                + " less than half of its requests say what was cached");
            }
            if (selfReplay.filter(r -> !r.faithful()).isPresent()) {
                notes.add("what can move the recording's own replay: "
                        + replay.recorded().map(RecordedRun::doubtful).orElse(""));
            }
            notes.addAll(replay.warnings(study.result().trace()));
            result = gate.judge(request, study, selfReplay, capacity, notes, BuildVersion.version());
        }
        write(result);
        return result;
    }

    private static dev.warmroute.simulator.replay.Progress said(Progress progress, String what) {
        return share -> progress.update(what + Math.round(100 * share) + " %");
    }

    /** The policy that the new one is held against, where an assertion asks for one. */
    private Optional<PolicyChoice> baseline(
            List<Assertion> parsed, WhatIfQuestion replay, Optional<PolicyChoice> inForce) {
        if (parsed.stream().noneMatch(Assertion::relative)) {
            return Optional.empty();
        }
        int maxNumSeqs = replay.chosen().fleet().engine().maxNumSeqs();
        Optional<PolicyChoice> known = Optional.ofNullable(baseline)
                .or(() -> inForce)
                .or(() -> replay.recorded().flatMap(RecordedRun::policy));
        List<String> several = replay.recorded().map(RecordedRun::policies).orElse(List.of());
        if (known.isEmpty() && !several.isEmpty()) {
            throw new UserError("several policies decided while " + trace + " was recorded ("
                    + String.join(", ", several) + "): say with --baseline which one the new one is held against");
        }
        return known.map(p -> Gate.concise(p, maxNumSeqs));
    }

    private void write(CheckResult result) {
        if (junit != null) {
            WholeFile.save(junit, JUnitXml.of(result));
        }
        if (markdown != null) {
            WholeFile.save(markdown, MarkdownSummary.of(result));
        }
    }
}

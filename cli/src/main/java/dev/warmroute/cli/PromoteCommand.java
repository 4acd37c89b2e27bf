package dev.warmroute.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.ModelChange;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.admin.RouterAdmin;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.gate.CheckResult;
import dev.warmroute.simulator.gate.Gate;
import dev.warmroute.simulator.gate.Promotion;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code promote}: hands a policy to the live router, if it passes its check; or takes the last change back. */
@Command(
        name = "promote",
        description =
                "Checks a policy, as check does, and hands it to a running router if it passes; or takes the router's last change"
                        + " of policy back. Exits with 3 when the policy did not pass.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute promote policy.yaml --router http://127.0.0.1:8081 --trace trace --assert 'hit>=70%%'"
                    + " --assert 'ttft_p95<=1.1*baseline'",
            "  warmroute promote --rollback --router http://127.0.0.1:8081"
        })
final class PromoteCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private RouterOptions router;

    @Mixin
    private CheckOptions options;

    @Option(
            names = "--dry-run",
            description = "Check, and ask the router whether it would take the policy, but change nothing.")
    private boolean dryRun;

    @Option(names = "--rollback", description = "Go back to the policy that was in force before the last change.")
    private boolean rollback;

    @Override
    public Integer call() {
        if (rollback && options.given()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rollback goes back to what was in force: leave out policy, trace" + " and assertions");
        }
        if (!rollback) {
            options.require(spec.commandLine());
        }
        try (RouterAdmin admin = router.admin()) {
            Promotion promotion = rollback ? rollBack(admin) : promote(admin);
            PrintWriter out = spec.commandLine().getOut();
            if (json.wanted()) {
                json.print(promotion, out);
            } else {
                promotion.check().ifPresent(c -> CheckText.print(c, out));
                out.println(promotion.sentence());
            }
            return promotion.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
        }
    }

    private Promotion promote(RouterAdmin admin) {
        PolicyChoice policy = options.policy();
        JsonNode status = admin.status();
        // What the router would refuse is said before the check takes its time.
        JsonNode would = admin.tried(policy.name(), policy.parameters(), inForce(status));
        requireSame(
                policy.label(),
                would.path("name").asText().equals(Policies.named(policy.name()).policyName()),
                admin,
                "affinity is off there, so that least_in_flight decides; switch it on first");
        options.fleet().assumeMaxNumSeqs(maxNumSeqs(status));
        CheckResult check = options.check(
                policy,
                Optional.of(choice(status, "policy")),
                spec.commandLine().getErr());
        String checked = check.evidence().policy().configHash();
        requireSame(
                policy.label(),
                checked.equals(would.path("config_hash").asText()),
                admin,
                "its max_num_seqs is " + maxNumSeqs(status)
                        + ", and its version may be another: leave out --max-num-seqs");
        // The check took its time: what is in force may be another by now.
        JsonNode now = admin.status();
        Promotion.Step step = Promotion.Step.PROMOTED;
        if (!check.ok()) {
            step = Promotion.Step.NOT_PASSED;
        } else if (decides(checked, now)) {
            step = Promotion.Step.IN_FORCE_ALREADY;
        } else if (dryRun) {
            admin.tried(policy.name(), policy.parameters(), inForce(status));
            step = Promotion.Step.WOULD_PROMOTE;
        } else {
            JsonNode after = admin.promote(policy.name(), policy.parameters(), check.hash(), inForce(status));
            if (!decides(checked, after)) {
                throw new UserError("the router has taken the " + policy.label() + " that was checked for model '"
                        + admin.model() + "', but " + label(after, "policy", affinity(after)) + " decides there");
            }
        }
        return new Promotion(
                step, admin.model(), label(now, "policy", affinity(now)), policy.label(), Optional.of(check));
    }

    private static boolean decides(String configHash, JsonNode status) {
        return configHash.equals(status.path("policy").path("config_hash").asText());
    }

    private static String inForce(JsonNode status) {
        return status.path(ModelChange.IN_FORCE).asText();
    }

    private static boolean affinity(JsonNode status) {
        return status.path("affinity").asBoolean();
    }

    private static void requireSame(String policy, boolean same, RouterAdmin admin, String why) {
        if (!same) {
            throw new UserError("the router would not decide by the " + policy + " that is checked for model '"
                    + admin.model() + "': " + why);
        }
    }

    private Promotion rollBack(RouterAdmin admin) {
        JsonNode status = admin.status();
        String before = label(status, "policy", affinity(status));
        if (!dryRun) {
            JsonNode after = admin.rollBack(inForce(status));
            return new Promotion(
                    Promotion.Step.ROLLED_BACK,
                    admin.model(),
                    before,
                    label(after, "policy", affinity(after)),
                    Optional.empty());
        }
        if (!status.path("previous").isObject()) {
            throw new UserError(
                    "there is nothing to take back for model '" + admin.model() + "': its policy has not been changed"
                            + " since the router was started, or every change was taken back");
        }
        String after = label(status, "previous", affinity(status.path("previous")));
        return new Promotion(Promotion.Step.WOULD_ROLL_BACK, admin.model(), before, after, Optional.empty());
    }

    private static int maxNumSeqs(JsonNode model) {
        return model.path("max_num_seqs").asInt();
    }

    private static String label(JsonNode model, String field, boolean affinity) {
        return choice(model, field).label() + (affinity ? "" : " (affinity off)");
    }

    /** A policy in the router's status of a model. */
    private static PolicyChoice choice(JsonNode model, String field) {
        JsonNode policy = model.path(field);
        Map<String, String> parameters = new TreeMap<>();
        policy.path("config")
                .properties()
                .forEach(e -> parameters.put(e.getKey(), e.getValue().asText()));
        return Gate.concise(new PolicyChoice(policy.path("name").asText(), parameters), maxNumSeqs(model));
    }
}

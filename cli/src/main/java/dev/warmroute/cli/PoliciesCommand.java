package dev.warmroute.cli;

import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.PolicyParameters.Parameter;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code policies}: the names that {@code router.yaml} and {@code --policy} take, and what can be set. */
@Command(
        name = "policies",
        description = "Lists the routing policies; of those that are named, their parameters too.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute policies warden fit"})
final class PoliciesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "Policies, or old names of theirs (default: all).")
    private List<String> names = List.of();

    /** A policy, for {@code --json}. */
    record Row(String name, String summary, String source, List<String> aliases, List<Parameter> parameters) {}

    /** Those that were asked for. */
    record Answer(List<Row> policies) {}

    @Override
    public Integer call() {
        List<Row> rows = (names.isEmpty()
                        ? Arrays.stream(Policies.values())
                        : names.stream().map(Policies::named))
                .map(p -> new Row(p.policyName(), p.summary(), p.source(), p.aliases(), p.parameters()))
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(new Answer(rows), out);
        } else {
            rows.forEach(r -> print(r, out));
        }
        return ExitCode.DONE;
    }

    private void print(Row r, PrintWriter out) {
        out.printf("%-22s %s (%s)%n", r.name(), r.summary(), r.source());
        if (!names.isEmpty()) {
            r.parameters().forEach(p -> out.printf("  %-20s %s (default: %s)%n", p.name(), p.meaning(), p.byDefault()));
        }
    }
}

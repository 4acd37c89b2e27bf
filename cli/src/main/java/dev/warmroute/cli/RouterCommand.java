package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.router.publish.PublisherStats;
import dev.warmroute.router.warm.WarmSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code router}: the live router. */
@Command(
        name = "router",
        description =
                "Runs the live router in front of vLLM replicas. Without kafka.bootstrap it brings its own broker.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute router -c data/examples/router.yaml"})
final class RouterCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private RouterSetup setup;

    @Option(
            names = "--warm-prompts",
            paramLabel = "FILE",
            description = "Prompts sent to replicas that come up cold, instead of warm_prompts.file.")
    private Path warmPrompts;

    @Option(
            names = "--warm-prompts-strict",
            description =
                    "Do not start when something is wrong with the warm prompts; without it the replicas stay cold.")
    private boolean strict;

    @Option(names = "--check", description = "Check the configuration and the warm prompts, and exit.")
    private boolean check;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        RouterConfig read = setup.read(check);
        RouterConfig router = warmPrompts == null ? read : read.withWarmPrompts(warmPrompts);
        if (strict && router.warmPrompts().file().isEmpty()) {
            throw new UserError("--warm-prompts-strict: there are no warm prompts; give --warm-prompts FILE, or"
                    + " warm_prompts.file in router.yaml");
        }
        WarmSource prompts =
                strict || check ? WarmSource.checked(router.warmPrompts()) : WarmSource.of(router.warmPrompts());
        if (check) {
            out.printf(
                    "%s is valid: %d models, %d replicas, %d warm prompts%n",
                    setup.name(),
                    router.models().size(),
                    router.models().stream().mapToInt(m -> m.replicas().size()).sum(),
                    prompts.prompts().size());
            return ExitCode.DONE;
        }
        try (LiveRouter live = LiveRouter.start(router, prompts)) {
            tell(out, router, live);
            UntilStopped.await();
            PublisherStats events = live.events();
            out.printf("stopping; %s%n", events);
            out.flush();
        }
        return ExitCode.DONE;
    }

    private static void tell(PrintWriter out, RouterConfig router, LiveRouter live) {
        String host = router.listen().host();
        out.printf(
                "router on http://%s:%d, panel on http://%s:%d/warmroute/%n",
                host,
                live.server().port(),
                router.admin().listen().host(),
                live.server().adminPort());
        router.models()
                .forEach(m -> out.printf(
                        "model '%s': policy %s over %d replicas%n",
                        m.name(), m.policy(), m.replicas().size()));
        WarmSource warm = live.server().warmer().source();
        warm.file()
                .ifPresent(file -> out.println(
                        warm.problem().isEmpty()
                                ? "warm prompts: " + warm.prompts().size() + " from " + file + ", "
                                        + router.warmPrompts().concurrency() + " at a time on a replica"
                                : "warm prompts: none, the replicas stay cold: " + warm.problem()));
        out.printf(
                "events to %s, topics %s.*%s%n",
                live.bootstrap(),
                router.kafka().prefix(),
                router.kafka().embedded() ? " (own broker in " + router.dataDir() + ")" : "");
        if (!live.homes().restored()) {
            out.printf(
                    "homes of earlier conversations: not read yet%s%n",
                    live.homes().problem().map(p -> " (" + p + ")").orElse(""));
        }
        out.flush();
    }
}

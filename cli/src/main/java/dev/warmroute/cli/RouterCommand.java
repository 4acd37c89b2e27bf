package dev.warmroute.cli;

import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.router.publish.PublisherStats;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code router}: the live router. */
@Command(
        name = "router",
        description = "Runs the live router in front of vLLM replicas. Without kafka.bootstrap it brings its own broker.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute router -c data/examples/router.yaml"})
final class RouterCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = {"-c", "--config"}, required = true, paramLabel = "FILE", description = "router.yaml")
    private Path config;

    @Option(names = "--check", description = "Check the configuration and exit.")
    private boolean check;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        RouterConfig router = RouterConfig.read(config);
        if (check) {
            out.printf("%s is valid: %d models, %d replicas%n", config, router.models().size(),
                    router.models().stream().mapToInt(m -> m.replicas().size()).sum());
            return ExitCode.DONE;
        }
        try (LiveRouter live = LiveRouter.start(router)) {
            String host = router.listen().host();
            out.printf("router on http://%s:%d, panel on http://%s:%d/warmroute/%n", host, live.server().port(),
                    router.admin().listen().host(), live.server().adminPort());
            router.models().forEach(m -> out.printf("model '%s': policy %s over %d replicas%n", m.name(), m.policy(),
                    m.replicas().size()));
            out.printf("events to %s, topics %s.*%s%n", live.bootstrap(), router.kafka().prefix(),
                    router.kafka().embedded() ? " (own broker in " + router.dataDir() + ")" : "");
            if (!live.homes().restored()) {
                out.printf("homes of earlier conversations: not read yet%s%n",
                        live.homes().problem().map(p -> " (" + p + ")").orElse(""));
            }
            out.flush();
            UntilStopped.await();
            PublisherStats events = live.events();
            out.printf("stopping; %s%n", events);
            out.flush();
        }
        return ExitCode.DONE;
    }
}

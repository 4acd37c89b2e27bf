package dev.warmroute.cli;

import dev.warmroute.simulator.load.AgentLoadOptions;
import picocli.CommandLine.Option;

/** Where agent sessions go, what they look like, and for how long. */
final class AgentOptions {
    private final AgentLoadOptions defaults = AgentLoadOptions.defaults();

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "Where the API is, without /v1 (default: ${DEFAULT-VALUE}).")
    private String endpoint = defaults.endpoint();

    @Option(names = "--model", paramLabel = "NAME", description = "Name of the model (default: ${DEFAULT-VALUE}).")
    private String model = defaults.model();

    @Option(
            names = "--shared",
            paramLabel = "TOKENS",
            description = "System prompt of all sessions (default: ${DEFAULT-VALUE}).")
    private int shared = defaults.sharedTokens();

    @Option(names = "--first", paramLabel = "TOKENS", description = "First user message (default: ${DEFAULT-VALUE}).")
    private int first = defaults.firstTokens();

    @Option(names = "--growth", paramLabel = "TOKENS", description = "Each later message (default: ${DEFAULT-VALUE}).")
    private int growth = defaults.growthTokens();

    @Option(names = "--turns", paramLabel = "N", description = "Turns of a session (default: ${DEFAULT-VALUE}).")
    private int turns = defaults.turns();

    @Option(names = "--output", paramLabel = "TOKENS", description = "Mean answer (default: ${DEFAULT-VALUE}).")
    private int output = defaults.outputTokens();

    @Option(
            names = "--gap",
            paramLabel = "SECONDS",
            description = "Mean pause between turns (default: ${DEFAULT-VALUE}).")
    private double gap = defaults.gapSeconds();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long turns are started (default: ${DEFAULT-VALUE}).")
    private double seconds = defaults.seconds();

    @Option(
            names = "--speed",
            paramLabel = "X",
            description = "Model seconds in a second, when the replicas run scaled (default: ${DEFAULT-VALUE}).")
    private double speed = defaults.speed();

    @Option(names = "--seed", description = "Seed of everything random (default: ${DEFAULT-VALUE}).")
    private long seed = defaults.seed();

    @Option(names = "--api-key", paramLabel = "KEY", defaultValue = "", description = "Sent as a bearer token.")
    private String apiKey;

    @Option(
            names = "--session-header",
            paramLabel = "NAME",
            description = "Header with the session id (default: ${DEFAULT-VALUE}).")
    private String sessionHeader = defaults.sessionHeader();

    /** What was asked for; how many sessions, and under which name, is the command's. */
    AgentLoadOptions options() {
        return new AgentLoadOptions(
                endpoint,
                model,
                defaults.sessions(),
                shared,
                first,
                growth,
                turns,
                defaults.rounds(),
                output,
                gap,
                defaults.staggerSeconds(),
                seconds,
                defaults.drainSeconds(),
                speed,
                seed,
                defaults.arm(),
                sessionHeader,
                apiKey,
                defaults.ignoreEos());
    }
}

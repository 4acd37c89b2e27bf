package dev.warmroute.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.load.BenchFileFormat;
import dev.warmroute.simulator.load.BenchOptions;
import dev.warmroute.simulator.load.BenchPromptFile;
import dev.warmroute.simulator.load.BenchPrompts;
import dev.warmroute.simulator.load.BenchResult;
import dev.warmroute.simulator.load.BenchRun;
import dev.warmroute.simulator.load.BenchServe;
import dev.warmroute.simulator.load.BenchWave;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code load bench-serve}: times to first token and speeds, cold or warm, in the columns of vllm-mlx's benchmark. */
@Command(
        name = "bench-serve",
        description =
                "Sends waves of requests, at each concurrency several, and measures times to the first token and speeds. Each"
                        + " prompt begins differently, so that of what was said before only the system prompt can be cached. Writes the"
                        + " columns of vllm-mlx's bench-serve that apply; export bench-compare holds two files against each other.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  warmroute load bench-serve --endpoint http://127.0.0.1:8080 --prompts long --concurrency 1,4,8 --tag warm"
                    + " --output warm.csv"
        })
final class LoadBenchServeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    private final BenchOptions defaults = BenchOptions.of("http://127.0.0.1:8080", BenchPrompts.ofShort());

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "Where the API is, without /v1 (default: ${DEFAULT-VALUE}).")
    private String endpoint = defaults.endpoint();

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "Name of the model (default: the only one that is served).")
    private String model = defaults.model();

    @Option(
            names = "--prompts",
            paramLabel = "SET",
            description =
                    "short (about 60 tokens), long (2,500), or a file: a JSON list or a JSON value a line, each a text, a list of"
                            + " messages, or an object with 'prompt' or 'messages' (default: ${DEFAULT-VALUE}).")
    private String prompts = "short";

    @Option(names = "--system-prompt-file", paramLabel = "FILE", description = "A text in front of every prompt.")
    private Path systemPrompt;

    @Option(
            names = "--cold",
            description =
                    "Each wave's system prompt begins differently: nobody can have it cached, and nothing need be restarted.")
    private boolean cold;

    @Option(
            names = "--as-is",
            description = "Prompts are sent as they are: a repeated one finds what it left in the cache.")
    private boolean asIs;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            split = ",",
            description = "Requests that are sent together, one after the other (default: 1,4,8).")
    private List<Integer> concurrency = defaults.concurrency();

    @Option(
            names = "--repeats",
            paramLabel = "K",
            description = "Waves at each concurrency (default: ${DEFAULT-VALUE}).")
    private int repeats = defaults.repeats();

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description =
                    "Requests beforehand that are not counted, without the system prompt (default: ${DEFAULT-VALUE}).")
    private int warmUp = defaults.warmUp();

    @Option(
            names = "--max-tokens",
            paramLabel = "N",
            description = "Most tokens of an answer (default: ${DEFAULT-VALUE}).")
    private int maxTokens = defaults.maxTokens();

    @Option(
            names = "--enable-thinking",
            paramLabel = "BOOL",
            arity = "1",
            description = "The chat template's switch (default: its own).")
    private Boolean thinking;

    @Option(
            names = "--extra-body",
            paramLabel = "JSON",
            description = "Further fields of each request, as {\"ignore_eos\":true}.")
    private String extraBody = "{}";

    @Option(
            names = "--skip-preflight-token-count",
            description = "Prompts are not counted by /tokenize first; implied by a system prompt.")
    private boolean skipPreflight;

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            split = ",",
            description =
                    "vLLM's metrics, of every replica behind a router (default: the endpoint's own, if it has them).")
    private List<String> metrics = List.of();

    @Option(names = "--tag", paramLabel = "NAME", description = "Goes into every row (default: ${DEFAULT-VALUE}).")
    private String tag = defaults.tag();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the rows go, one a request; written after every wave.")
    private Path output;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private BenchFileFormat format = BenchFileFormat.CSV;

    @Option(
            names = "--session-header",
            paramLabel = "NAME",
            description = "Header with each request's own session id (default: ${DEFAULT-VALUE}).")
    private String sessionHeader = defaults.sessionHeader();

    @Option(names = "--api-key", paramLabel = "KEY", description = "Sent as a bearer token.")
    private String apiKey = "";

    @Option(
            names = "--timeout",
            paramLabel = "S",
            description = "Longest time for an answer (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = defaults.timeoutSeconds();

    @Override
    public Integer call() {
        BenchOptions options = options();
        BenchResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = BenchServe.run(options, new Told(progress));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
            if (output != null) {
                out.println("Rows: " + output);
            }
        }
        return result.failures() == result.requests() ? ExitCode.FAILED : ExitCode.DONE;
    }

    private BenchOptions options() {
        String system = systemPrompt == null ? "" : BenchPromptFile.text(systemPrompt);
        if (systemPrompt != null && system.isBlank()) {
            throw new UserError(systemPrompt + " is empty: a system prompt needs a text");
        }
        return new BenchOptions(
                endpoint,
                model,
                tag,
                promptSet(),
                system,
                cold,
                asIs,
                concurrency,
                repeats,
                warmUp,
                maxTokens,
                Optional.ofNullable(thinking),
                extra(),
                !skipPreflight && system.isEmpty(),
                metrics,
                sessionHeader,
                apiKey,
                timeoutSeconds);
    }

    private BenchPrompts promptSet() {
        return switch (prompts) {
            case "short" -> BenchPrompts.ofShort();
            case "long" -> BenchPrompts.ofLong();
            default -> BenchPromptFile.read(Path.of(prompts));
        };
    }

    private ObjectNode extra() {
        try {
            JsonNode node = new ObjectMapper().readTree(extraBody);
            if (node instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw new UserError("--extra-body is not JSON: " + e.getOriginalMessage(), e);
        }
        throw new UserError("--extra-body " + extraBody + ": expected a JSON object, as {\"ignore_eos\":true}");
    }

    /** What is told and written while it runs. */
    private final class Told implements BenchServe.Progress {
        private final Progress progress;

        Told(Progress progress) {
            this.progress = progress;
        }

        @Override
        public void counted(int prompt, OptionalInt tokens) {
            progress.update("prompt " + prompt + ": "
                    + (tokens.isPresent()
                            ? tokens.getAsInt() + " tokens"
                            : "not counted, the endpoint has no /tokenize"));
        }

        @Override
        public void answered(int concurrent, int repetition, int requests) {
            progress.update("concurrency " + concurrent + ", wave " + repetition + " of " + repeats + ": " + requests
                    + " answered");
        }

        @Override
        public void ended(BenchRun run, List<BenchWave> waves) {
            if (output != null) {
                format.write(output, run, waves);
            }
        }
    }

    private static void print(BenchResult result, PrintWriter out) {
        BenchRun run = result.run();
        out.printf(
                "%s%s, prompts %s, system prompt %s: %d requests, %d failed%n",
                run.modelId(),
                run.engineType().isEmpty() ? "" : " on " + run.engineType(),
                run.promptSet(),
                run.systemPrompt(),
                result.requests(),
                result.failures());
        if (!result.firstError().isEmpty()) {
            out.println("first error: " + result.firstError());
        }
        TextTable table = new TextTable(
                "CONCURRENCY",
                "requests",
                "failed",
                "prompt tokens",
                "hit %",
                "TTFT mean s",
                "p50",
                "p95",
                "p99",
                "ms/token p50",
                "latency p50 s",
                "tok/s",
                "requests/s");
        for (BenchResult.Row r : result.rows()) {
            table.row(
                    Integer.toString(r.concurrency()),
                    Integer.toString(r.requests()),
                    Integer.toString(r.failures()),
                    Figures.fixed(r.promptTokens(), 0),
                    Figures.fixed(r.hitPct().isPresent() ? r.hitPct() : r.engineHitPct(), 1),
                    Figures.seconds(r.ttftS().mean()),
                    Figures.seconds(r.ttftS().p50()),
                    Figures.seconds(r.ttftS().p95()),
                    Figures.seconds(r.ttftS().p99()),
                    Figures.fixed(millis(r.tpotS().p50()), 2),
                    Figures.seconds(r.e2eS().p50()),
                    Figures.fixed(r.tokensPerS(), 1),
                    Figures.fixed(r.requestsPerS(), 2));
        }
        table.print(out);
    }

    private static OptionalDouble millis(OptionalDouble seconds) {
        return seconds.isPresent() ? OptionalDouble.of(1e3 * seconds.getAsDouble()) : seconds;
    }
}

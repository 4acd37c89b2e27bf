package dev.warmroute.cli;

import dev.warmroute.export.chart.ChartFormat;
import dev.warmroute.export.notebook.ExportDirectory;
import dev.warmroute.export.notebook.Findings;
import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.export.table.TableFormat;
import dev.warmroute.export.table.TableSet;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code export}: tables, charts and a notebook of a trace or a what-if. */
@Command(
        name = "export",
        description =
                "Writes tables (Parquet and CSV), charts, the figures as JSON and a Jupyter notebook that reads them: of a"
                        + " recording or trace and, with --policy, of a what-if with every single request.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "[COMMAND]",
        subcommands = {ExportBenchCompareCommand.class},
        footer = {
            "",
            "Examples:",
            "  warmroute export data/real-vllm-fleet --out ./export",
            "  warmroute export data/real-vllm-fleet --out ./export --policy warden,fit --charts png",
            "  warmroute export workload:lm-warden --out ./export --sessions 16 --policy random,warden"
        })
final class ExportCommand implements Callable<Integer> {
    private static final String NONE = "none";
    private static final Set<String> OF_A_REPLAY =
            Set.of("--open-loop", "--serial", "--arrival-rate", "--seconds", "--from", "--seeds", "--tolerance");

    private static final Set<String> WITHOUT_EFFECT = Set.of("--out", "-o", "--threads");

    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private WhatIfOptions options;

    // Not required by the parser, which would require it of the subcommands too.
    @Parameters(
            arity = "0..1",
            paramLabel = "TRACE",
            description = "A trace directory, FORMAT:FILE (trace formats lists them), or workload:NAME with --policy.")
    private String trace;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description =
                    "Where everything goes; a new or empty directory, or that of an earlier export, which is replaced once the new one is whole.")
    private Path out;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            split = ",",
            converter = PolicyOption.class,
            description = "Policies of a what-if, as for whatif; without it only what the trace says is exported.")
    private List<PolicyChoice> policies = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            split = ",",
            defaultValue = "parquet,csv",
            description =
                    "Of the tables: parquet, csv or both (default: ${DEFAULT-VALUE}). The notebook reads Parquet.")
    private List<String> formats;

    @Option(
            names = "--charts",
            paramLabel = "FORMAT",
            split = ",",
            defaultValue = "svg",
            description = "Of the charts: svg, png, both or none (default: ${DEFAULT-VALUE}).")
    private List<String> charts;

    /** What {@code --json} prints. */
    record Exported(
            String directory, Map<String, Long> rows, int charts, Optional<String> notebook, List<String> remarks) {}

    @Override
    public Integer call() {
        require(trace != null, "Missing required parameter: 'TRACE', or a command: bench-compare");
        require(out != null, "Missing required option: '--out=DIR'");
        if (policies.isEmpty()) {
            refuseWithoutPolicy();
        }
        Set<TableFormat> tableFormats = all(formats, TableFormat::named, TableFormat.class);
        Set<ChartFormat> chartFormats =
                charts.equals(List.of(NONE)) ? Set.of() : all(charts, ChartFormat::named, ChartFormat.class);
        String title = (policies.isEmpty() ? "Trace " : "What-if of ") + trace;
        ExportDirectory.Contents contents;
        Findings found;
        try (Progress progress = new Progress(spec.commandLine().getErr());
                ExportDirectory directory = ExportDirectory.prepare(out, tableFormats, chartFormats)) {
            ReportBuilder report =
                    new ReportBuilder(title).version(BuildVersion.version()).command("warmroute export " + question());
            found = new ExportRun(trace, options, directory.tables(), progress).run(policies, title, report);
            contents = directory.finish(found, BuildVersion.version());
        }
        print(contents, found.remarks());
        return ExitCode.DONE;
    }

    private void require(boolean ok, String message) {
        if (!ok) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /** An option that would change nothing is no answer to what was asked. */
    private void refuseWithoutPolicy() {
        if (WhatIfOptions.isWorkload(trace)) {
            throw new UserError(
                    "nothing is recorded of a workload: say which policies to replay it under, as --policy random,warden");
        }
        OF_A_REPLAY.stream()
                .sorted()
                .filter(o -> spec.commandLine().getParseResult().hasMatchedOption(o))
                .findFirst()
                .ifPresent(o -> {
                    throw new UserError(o + " says how to replay: name the policies with --policy, or leave it out");
                });
    }

    private static <E extends Enum<E>> Set<E> all(List<String> names, Function<String, E> named, Class<E> type) {
        return names.stream().map(named).collect(Collectors.toCollection(() -> EnumSet.noneOf(type)));
    }

    /** What was asked, without what does not change the answer. */
    private String question() {
        List<String> args = new ArrayList<>();
        boolean skip = false;
        for (String arg : spec.commandLine().getParseResult().originalArgs()) {
            String option = arg.replaceFirst("=.*", "");
            if (!skip && !arg.equals(spec.name()) && !WITHOUT_EFFECT.contains(option)) {
                args.add(arg.contains(" ") ? "'" + arg + "'" : arg);
            }
            skip = WITHOUT_EFFECT.contains(arg);
        }
        return String.join(" ", args);
    }

    private void print(ExportDirectory.Contents contents, List<String> remarks) {
        PrintWriter stdout = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(
                    new Exported(
                            out.toString(),
                            contents.tables().stream()
                                    .collect(Collectors.toMap(
                                            t -> t.schema().name(), TableSet.Written::rows, Long::sum, TreeMap::new)),
                            contents.charts(),
                            contents.notebook().map(Path::toString),
                            remarks),
                    stdout);
            return;
        }
        TextTable table = new TextTable("TABLE", "rows", "a row is");
        contents.tables()
                .forEach(t -> table.row(
                        t.schema().name(), Figures.count(t.rows()), t.schema().meaning()));
        table.print(stdout);
        stdout.println();
        stdout.println("tables    " + out.resolve("tables"));
        if (contents.charts() > 0) {
            stdout.println("charts    " + out.resolve("charts") + " (" + contents.charts() + ")");
        }
        contents.report().ifPresent(r -> stdout.println("figures   " + r));
        contents.notebook().ifPresent(n -> stdout.println("notebook  " + n));
        remarks.forEach(r -> stdout.println("note      " + r));
    }
}

package dev.warmroute.cli;

import dev.warmroute.recorder.edit.Anonymiser;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.config.SaltFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace anonymise}: a trace under another salt. */
@Command(
        name = "anonymise",
        description =
                "Makes a trace in which every id of a conversation, agent, request and prompt block is hashed once more, with"
                        + " another secret, so that whoever has the router's salt or a list of its ids finds none of them. Addresses of"
                        + " replicas are blanked. Offsets, sequence numbers, times, sizes and names of replicas, routers and models stay: whoever"
                        + " has the original trace can join the two, event by event.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  warmroute trace anonymise ./warmroute-demo/trace --salt ./other.salt --out ./to-share"
        })
final class TraceAnonymiseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Option(
            names = "--salt",
            required = true,
            paramLabel = "FILE",
            description =
                    "File with the other secret, as a router's salt_file; made when it is not there. Delete it afterwards, and"
                            + " nobody can hash an id again to look for it.")
    private Path salt;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Directory of the new trace.")
    private Path out;

    @Override
    public Integer call() {
        Recording source = Recording.open(directory);
        Anonymiser.run(source, SaltFile.readOrCreate(salt), out, BuildVersion.version());
        MadeTrace.print(out, json, spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}

package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.recorder.format.TraceFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of other formats on the command line. */
class TraceFormatsTest {
    private static final String AZURE =
            "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,480,10\nnonsense\n"
                    + "2023-11-16 18:17:04.97,374,14\n";

    @TempDir
    private Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), args)
                .execute(args);
    }

    private String azure() throws IOException {
        Path file = dir.resolve("a.csv");
        Files.writeString(file, AZURE);
        return "azure:" + file;
    }

    @Test
    void wrongRowsStopAnImportUnlessTheyMayBeSkipped() throws IOException {
        String directory = dir.resolve("trace").toString();
        assertThat(run("trace", "import", azure(), "-o", directory)).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .contains("a.csv line 3: expected 3 fields as in the header, found 1", "--on-error skip");
        assertThat(run("trace", "import", azure(), "-o", directory, "--on-error", "1"))
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .contains(
                        "Imported  2 requests",
                        "Sessions  none",
                        "Prompts   854 tokens",
                        "Skipped   1 wrong row",
                        "Prefixes  not known");
        assertThat(Files.readString(dir.resolve("trace/trace.json")))
                .contains("\"skipped\" : 1", "\"format\" : \"azure\"");
    }

    @Test
    void anImportedTraceIsExportedAndAnalysedLikeItsFile() throws IOException {
        String directory = dir.resolve("trace").toString();
        run("trace", "import", azure(), "-o", directory, "--on-error", "skip");
        assertThat(run(
                        "trace",
                        "export",
                        directory,
                        "--to",
                        "mooncake",
                        "-o",
                        dir.resolve("m.jsonl").toString()))
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("Exported  2 requests", "Note      nothing is known of what prompts share");
        assertThat(run("whatif", "mooncake:" + dir.resolve("m.jsonl"), "--policy", "random", "--seeds", "1"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run("whatif", directory, "--policy", "random", "--seeds", "1"))
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("hit rates of a replay are 0 because nothing is known of the prompts");
    }

    @Test
    void anImportedTraceSaysWhereItCameFromAndHasNoDecisions() throws IOException {
        String directory = dir.resolve("trace").toString();
        run("trace", "import", azure(), "-o", directory, "--on-error", "skip");
        out.getBuffer().setLength(0);
        assertThat(run("trace", "info", directory, "--verify-hashes")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .contains("imported   2 requests from azure:", "skipped    1 wrong rows", "hashes     all equal");
        assertThat(run("trace", "verify", directory)).isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .contains("no decisions to derive again")
                .containsPattern("ok +files")
                .contains("2 read again, 2 were imported");
        assertThat(run("trace", "head", directory)).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("was imported from azure:").contains("no decisions or counters to look at");
    }

    @Test
    void capacityIsNotJudgedWhereNothingIsKnownOfPrompts() throws IOException {
        assertThat(run("capacity", azure(), "--on-error", "skip")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .contains("capacity asks how much of the prompts is said again", "whatif answers for its load");
    }

    @Test
    void theFormatsAreListedWithWhatTheyCarry() throws IOException {
        assertThat(run("trace", "formats")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains(TraceFormat.names()).contains("carries arrival times, lengths of answers");
        out.getBuffer().setLength(0);
        assertThat(run("trace", "formats", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(new ObjectMapper().readTree(out.toString()).path("formats")).hasSize(TraceFormat.values().length);
    }

    @Test
    void aFormatThatIsOnlyReadSaysWhy() throws IOException {
        assertThat(run(
                        "trace",
                        "export",
                        azure(),
                        "--on-error",
                        "skip",
                        "--to",
                        "fleet",
                        "-o",
                        dir.resolve("f").toString()))
                .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("fleet is only read: it records what replicas did and decided");
        assertThat(run(
                        "trace",
                        "export",
                        azure(),
                        "--to",
                        "flee",
                        "-o",
                        dir.resolve("f").toString()))
                .isNotEqualTo(ExitCode.DONE);
        assertThat(err.toString()).contains("there is no trace format 'flee'");
    }
}

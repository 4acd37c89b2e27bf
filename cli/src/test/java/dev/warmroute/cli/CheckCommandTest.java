package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate on a recording of four real engines under warden, which has no prompts: its own replay is far off. */
class CheckCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RECORDING = Path.of(System.getProperty("warmroute.root"), "data", "real-vllm-fleet")
            .toString();

    @TempDir
    private Path directory;

    private record Ran(int code, String out, String err) {}

    private Ran check(String policy, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy);
        List<String> args = new ArrayList<>(List.of("check", file.toString()));
        args.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
        return new Ran(code, out.toString(), err.toString());
    }

    private Ran onRecording(String policy, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--trace", RECORDING));
        all.addAll(List.of(options));
        return check(policy, all.toArray(String[]::new));
    }

    @Test
    void thePolicyThatWasRecordedIsAsGoodAsItselfAndAWorseOneDoesNotPass() throws Exception {
        String[] assertions = {
            "--assert", "hit>=baseline-1pp", "--assert", "stayed>=50%", "--accept-unfaithful", "--json"
        };
        Ran same = onRecording("policy: warden", assertions);
        assertThat(same.code()).as(same.err() + same.out()).isZero();
        JsonNode answer = JSON.readTree(same.out());
        assertThat(answer.path("ok").asBoolean()).isTrue();
        assertThat(answer.path("assertions"))
                .hasSize(2)
                .allMatch(a -> a.path("ok").asBoolean());
        JsonNode first = answer.path("assertions").get(0);
        assertThat(first.path("text").asText()).isEqualTo("hit>=baseline-1pp");
        assertThat(first.path("value").asDouble())
                .isBetween(first.path("low").asDouble(), first.path("high").asDouble());
        assertThat(answer.path("hash").asText()).matches("[0-9a-f]{64}");

        Ran worse = onRecording("name: random", assertions);
        assertThat(worse.code()).isEqualTo(3);
        JsonNode no = JSON.readTree(worse.out());
        assertThat(no.path("ok").asBoolean()).isFalse();
        assertThat(no.path("assertions")).noneMatch(a -> a.path("ok").asBoolean());
        assertThat(no.path("hash").asText()).isNotEqualTo(answer.path("hash").asText());
    }

    @Test
    void aRecordingThatIsNotReplayedAsItWasIsSaidFirstAndLetsNothingPass() throws Exception {
        Ran refused = onRecording("warden", "--assert", "hit>=1%");
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.out())
                .startsWith("NOT FAITHFUL")
                .contains("ok  hit>=1%", "NOT PASSED", "what can move the recording's own");
        assertThat(onRecording("warden", "--assert", "hit>=1%", "--accept-unfaithful")
                        .code())
                .isZero();
        assertThat(onRecording("warden", "--assert", "hit>=1%", "--tolerance", "90")
                        .code())
                .isZero();
    }

    @Test
    void whatItFoundIsWrittenForBuildServersAndMergeRequests() throws Exception {
        Path junit = directory.resolve("out").resolve("check.xml");
        Path markdown = directory.resolve("check.md");
        Ran ran = onRecording(
                "warden",
                "--assert",
                "hit>=99.9%",
                "--assert",
                "fits",
                "--junit",
                junit.toString(),
                "--markdown",
                markdown.toString());
        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.out()).contains("FAIL", "hit>=99.9%", "fits", "Hash");
        assertThat(Files.readString(junit)).contains("<testcase classname=\"warmroute.check\" name=\"hit&gt;=99.9%\"");
        assertThat(Files.readString(markdown)).contains("| **FAIL** | `hit>=99.9%` |");
    }

    @Test
    void whatCannotBeAskedIsRefusedBeforeAnythingIsReplayed() throws Exception {
        record Case(String policy, String said, String... options) {}
        List<Case> cases = List.of(
                new Case("policy: wraden", "did you mean 'warden'?", "--trace", RECORDING, "--assert", "hit>=1%"),
                new Case("warden", "column 1: there is no metric 'hti'", "--trace", RECORDING, "--assert", "hti>=1%"),
                new Case("warden", "at least 10 seeds", "--trace", RECORDING, "--assert", "hit>=1%", "--seeds", "3"),
                new Case("warden", "--baseline", "--trace", "workload:lm-warden", "--assert", "hit>=baseline"),
                new Case("warden", "leave it out for a workload", "--trace", "workload:lm-warden", "--assert", "fits"),
                new Case(
                        "warden",
                        "--usable-blocks",
                        "--trace",
                        "mooncake:"
                                + Path.of(
                                        System.getProperty("warmroute.root"),
                                        "data",
                                        "examples",
                                        "mooncake-small.jsonl"),
                        "--assert",
                        "fits"));
        for (Case c : cases) {
            Ran ran = check(c.policy(), c.options());
            assertThat(ran.code()).as(ran.err()).isEqualTo(1);
            assertThat(ran.err()).contains(c.said()).doesNotContain("Exception");
            assertThat(ran.err().lines()).hasSize(1);
        }
    }
}

package dev.warmroute.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OracleCheckTest {
    private static final List<String> BEGINNINGS =
            List.of("async-abort", "async-preempt-storm", "async-stop-storm", "hybrid-gdn", "hybrid-swa-async");

    @Test
    void theBeginningsOfRecordingsAreReproduced() {
        OracleResult sum = OracleCheck.run(
                BEGINNINGS.stream().map(OracleCheckTest::beginning).toList());

        assertThat(sum.firstMismatch()).isEmpty();
        assertThat(sum.agrees()).isTrue();
        assertThat(sum.files()).isEqualTo(5);
        assertThat(sum.steps()).isEqualTo(1599 + 899 + 699 + 699 + 699);
    }

    @Test
    void theRecordingsOfThisProjectAreReproduced() throws IOException {
        List<Path> files = recordings(Path.of(System.getProperty("warmroute.root"), "data", "vllm-oracle"));

        OracleResult sum = OracleCheck.run(files);

        assertThat(sum.firstMismatch()).isEmpty();
        assertThat(sum.files()).isEqualTo(4);
        assertThat(sum.steps()).isEqualTo(2687 + 2928 + 6558 + 1352);
        assertThat(sum.requests()).isEqualTo(250 + 250 + 200 + 200);
    }

    @Test
    void hostMemoryIsWhatVllmsOffloadingConnectorMakesOfIt() throws IOException {
        OracleResult sum =
                OracleCheck.run(recordings(Path.of(System.getProperty("warmroute.root"), "data", "vllm-offload")));

        assertThat(sum.firstMismatch()).isEmpty();
        assertThat(sum.files()).isEqualTo(2);
        assertThat(sum.steps()).isEqualTo(2674 + 1151);
        assertThat(sum.requests()).isEqualTo(400);
    }

    @Test
    @Tag("corpus")
    void everyRecordedStepOfVllmIsReproduced() throws IOException {
        Path folder = SharedData.folder("vllm-oracle");
        Assumptions.assumeTrue(Files.isDirectory(folder), "no recordings at " + folder);
        List<Path> files = recordings(folder);
        List<String> wrong = new ArrayList<>();
        OracleResult sum = OracleCheck.run(
                files, 2, (file, result) -> result.firstMismatch().ifPresent(m -> wrong.add(m.toString())));

        assertThat(wrong).isEmpty();
        assertThat(sum.files()).isEqualTo(19);
        assertThat(sum.steps()).isEqualTo(97_180);
        assertThat(sum.requests()).isEqualTo(6_770);
    }

    @Test
    void aWrongFieldIsNamedWithItsStepAndBothValues(@TempDir Path folder) throws IOException {
        List<String> lines = lines(beginning("async-abort"));
        assertThat(lines.get(1)).contains("\"step\":1,", "\"after_schedule\":{\"used\":13,\"cached\":12}");
        lines.set(1, lines.get(1).replace("\"used\":13,\"cached\":12}", "\"used\":14,\"cached\":12}"));
        lines.set(2, lines.get(2).replace("\"queries\":206", "\"queries\":205"));
        Path broken = Files.write(folder.resolve("broken.jsonl"), lines);

        OracleResult result = OracleCheck.run(List.of(beginning("hybrid-gdn"), broken));

        assertThat(result.mismatches()).isEqualTo(2);
        assertThat(result.firstMismatch())
                .contains(new OracleMismatch("broken.jsonl", 1, "after_schedule.used", "14", "13"));
    }

    @Test
    void whatIsNoRecordingIsRefusedWithItsLine(@TempDir Path folder) throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.jsonl"), "");
        assertThatThrownBy(() -> OracleCheck.run(List.of(empty)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("empty.jsonl: line 1 is not the configuration");

        List<String> lines = lines(beginning("async-abort"));
        lines.set(2, "{\"step\":");
        Path cut = Files.write(folder.resolve("cut.jsonl"), lines);
        assertThatThrownBy(() -> OracleCheck.run(List.of(cut)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cut.jsonl: line 3 is not JSON");

        Path none = folder.resolve("none.jsonl");
        assertThatThrownBy(() -> OracleCheck.run(List.of(none)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none.jsonl: cannot be read");
    }

    private static List<Path> recordings(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.filter(f -> f.toString().endsWith(".jsonl.gz")).sorted().toList();
        }
    }

    private static Path beginning(String name) {
        try {
            String resource = "/vllm-oracle/" + name + ".jsonl.gz";
            return Path.of(Objects.requireNonNull(OracleCheckTest.class.getResource(resource))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return new ArrayList<>(reader.lines().toList());
        }
    }
}

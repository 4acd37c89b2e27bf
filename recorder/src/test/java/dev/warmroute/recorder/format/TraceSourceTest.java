package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.luben.zstd.Zstd;
import dev.warmroute.router.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraceSourceTest {
    private static final String ROWS =
            "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[4]}\n".repeat(3000);

    @TempDir
    Path dir;

    @Test
    void compressionIsFoundByContentNotByName() throws IOException {
        Path gzip = dir.resolve("a.jsonl");
        Files.write(gzip, gzip(ROWS));
        Path zstd = dir.resolve("b.jsonl");
        Files.write(zstd, Zstd.compress(ROWS.getBytes(StandardCharsets.UTF_8)));
        Path plain = dir.resolve("c.jsonl.gz");
        Files.writeString(plain, ROWS);
        for (Path file : new Path[] {gzip, zstd, plain}) {
            assertThat(TraceSource.read("mooncake:" + file).turns()).hasSize(3000);
        }
    }

    @Test
    void aTruncatedGzipFileIsRefusedNotReadAsAShorterTrace() throws IOException {
        byte[] whole = gzip(ROWS);
        Path cut = dir.resolve("cut.jsonl.gz");
        Files.write(cut, Arrays.copyOf(whole, whole.length - 20));
        assertThatThrownBy(() -> TraceSource.read("mooncake:" + cut))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cut off or damaged")
                .hasMessageContaining("copy it again");
    }

    @Test
    void aDescriptionNamesTheFileByItsHash() throws IOException {
        Path file = dir.resolve("x.jsonl");
        Files.writeString(file, ROWS.substring(0, ROWS.indexOf('\n')));
        TraceDescription d = TraceSource.read("mooncake:" + file).description();
        assertThat(d.name()).isEqualTo("mooncake:" + file);
        assertThat(d.sha256()).isEqualTo("337da8182b9dbcf48ec324259eb22db6698cc403ec8f6ec1bf0430f60aecfe8b");
    }

    @Test
    void whatIsNoTraceIsRefusedWithTheFormatsThereAre() throws IOException {
        Path file = dir.resolve("x.jsonl");
        Files.writeString(file, ROWS);
        assertThatThrownBy(() -> TraceSource.open("mooncat:" + file))
                .isInstanceOf(UserError.class)
                .hasMessage("there is no trace format 'mooncat'; there are " + String.join(", ", TraceFormat.names()));
        assertThatThrownBy(() -> TraceSource.open(file.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("say what is in it, for example mooncake:" + file);
        assertThatThrownBy(() -> TraceSource.open(dir.resolve("none").toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a trace is a trace directory, kafka://PREFIX or FORMAT:FILE");
        assertThatThrownBy(() -> TraceSource.open("mooncake:" + dir.resolve("none")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> TraceSource.open("mooncake:" + dir))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a directory");
        Path empty = dir.resolve("empty.jsonl");
        Files.writeString(empty, "\n\n");
        assertThatThrownBy(() -> TraceSource.read("mooncake:" + empty))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no request");
    }

    /** A device is no file either, and opening it does not wait as opening a pipe does. */
    @ParameterizedTest
    @EnumSource(TraceFormat.class)
    void whatCannotBeReadAgainIsRefusedByEveryFormat(TraceFormat format) {
        assumeThat(Path.of("/dev/null")).exists();
        assertThatThrownBy(() -> TraceSource.read(format.formatName() + ":/dev/null"))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "/dev/null is neither a file nor a directory, and it is read more than once: save it to a file first");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }
}

package dev.warmroute.recorder.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    private Path directory;

    private static void write(Path file, String text) throws IOException {
        WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aFileIsReplacedWholeAndNothingElseIsLeft() throws IOException {
        Path file = directory.resolve("new/a.csv");
        write(file, "a longer one");
        Files.createLink(directory.resolve("old"), file);
        write(file, "short");
        assertThat(file).hasContent("short");
        assertThat(directory.resolve("old"))
                .as("the old file is not written to")
                .hasContent("a longer one");
        assertThat(file.getParent())
                .isDirectoryContaining(f -> f.equals(file))
                .isDirectoryNotContaining(f -> !f.equals(file));
    }

    @Test
    void aFileThatCannotBeWrittenIsAsItWas() throws IOException {
        Path file = Files.writeString(directory.resolve("a.csv"), "old");
        Files.createDirectories(WholeFile.unfinished(file).resolve("in the way"));
        assertThatThrownBy(() -> write(file, "new")).isInstanceOf(IOException.class);
        assertThat(file).hasContent("old");
    }

    @Test
    void aLinkStaysALink() throws IOException {
        Path file = Files.writeString(directory.resolve("a.csv"), "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        write(link, "new");
        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");
    }
}

package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnTraceWriterTest {
    @TempDir
    Path directory;

    private Path file(String name) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "turns/notes.txt",
                "turns/part-1.parquet",
                "turns/part-00001.parquet.bak",
                "turns/part-00001.parquet/inside",
                "notes.txt",
                "decisions/part-00001.parquet",
                "other/part-00001.parquet"
            })
    void aDirectoryThatHoldsSomethingOfSomebodysIsRefusedAndNothingInItTouched(String name) throws IOException {
        Path mine = file(name);
        Path part = file("turns/part-00002.parquet.tmp");
        assertThatThrownBy(() -> TurnTraceWriter.create(directory, "test"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not empty: it holds ")
                .hasMessageContaining("name a directory that is not there yet");
        assertThat(mine).hasContent("mine");
        assertThat(part).hasContent("mine");
        assertThat(directory.resolve(".lock")).doesNotExist();
    }

    @Test
    void aLinkToADirectoryOfPartsIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path part = Files.writeString(elsewhere.resolve("part-00001.parquet"), "mine");
        Files.createSymbolicLink(directory.resolve("turns"), elsewhere);
        assertThatThrownBy(() -> TurnTraceWriter.create(directory, "test")).hasMessageContaining("it holds turns;");
        assertThat(part).hasContent("mine");
    }

    @Test
    void whatAnImportLeftThatCameToNoEndIsRemoved() throws IOException {
        file(".lock");
        file("trace.json.tmp");
        file("turns/part-00001.parquet");
        file("turns/part-00002.parquet.tmp");
        TurnTraceWriter.create(directory, "test").close();
        assertThat(directory.resolve("turns")).isEmptyDirectory();
        assertThat(directory.resolve("trace.json.tmp")).doesNotExist();
    }
}

package dev.warmroute.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileErrorsTest {
    @TempDir
    private Path directory;

    private static String reading(Path file) {
        IOException thrown = Assertions.catchThrowableOfType(
                IOException.class, () -> Files.readString(file, StandardCharsets.UTF_8));
        return FileErrors.reading(file, thrown).getMessage();
    }

    @Test
    void whatTheFileSystemMeansIsSaidInWordsAndTheFileOnce() throws IOException {
        Path latin = Files.write(directory.resolve("latin"), new byte[] {'a', (byte) 0xe4});
        assertThat(reading(directory)).isEqualTo(directory + " cannot be read: Is a directory");
        assertThat(reading(directory.resolve("none")))
                .isEqualTo(directory.resolve("none") + " cannot be read: there is no such file");
        assertThat(reading(latin)).isEqualTo(latin + " cannot be read: it is not text in UTF-8");
        assertThat(FileErrors.reading(Path.of("a"), new AccessDeniedException("a"))
                        .getMessage())
                .isEqualTo("a cannot be read: no permission");
        assertThat(FileErrors.writing(Path.of("a"), new AccessDeniedException("b"))
                        .getMessage())
                .isEqualTo("a cannot be written: no permission for b; choose a place that can be written");
        assertThat(FileErrors.reason(new IOException())).isEqualTo("IOException");
    }
}

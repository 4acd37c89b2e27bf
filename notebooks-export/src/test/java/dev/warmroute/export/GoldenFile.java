package dev.warmroute.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that says what an output must be, byte for byte. With {@code -Dgolden.write=true} the files are written instead of
 * compared; look at the difference before you commit it.
 */
public record GoldenFile(Path path) {

    public static GoldenFile named(String name) {
        Path module = Path.of(System.getProperty("basedir", System.getProperty("user.dir")));
        return new GoldenFile(module.resolve("src/test/resources/golden").resolve(name));
    }

    public void check(String actual) {
        try {
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(path.getParent());
                Files.writeString(path, actual);
            } else if (!Files.exists(path)) {
                fail("%s is missing; write it with -Dgolden.write=true", path);
            } else {
                assertThat(actual).as("content of %s", path).isEqualTo(Files.readString(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

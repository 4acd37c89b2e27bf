package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class that has grown beyond what a reader keeps in mind says why it is not two. */
class ClassSizeTest {
    private static final int MOST_LINES = 400;
    private static final String REASON = "class is long";

    @Test
    void aClassHasAtMost400LinesOrSaysWhyItIsLong() throws IOException {
        List<Path> sources = sources(Path.of(System.getProperty("warmroute.root")));
        assertThat(sources).hasSizeGreaterThan(500);
        assertThat(sources.stream().filter(ClassSizeTest::isLongWithoutReason))
                .as("split it, or say in its first comment why 'the class is long'")
                .isEmpty();
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> modules = Files.list(root)) {
            return modules.map(m -> m.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(ClassSizeTest::java)
                    .toList();
        }
    }

    private static Stream<Path> java(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLongWithoutReason(Path source) {
        try {
            List<String> lines = Files.readAllLines(source);
            String beginning = String.join(" ", lines.subList(0, Math.min(lines.size(), 100)));
            return lines.size() > MOST_LINES
                    && !beginning.replaceAll("[\\s*]+", " ").contains(REASON);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

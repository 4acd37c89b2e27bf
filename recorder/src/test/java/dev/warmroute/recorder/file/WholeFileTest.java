package dev.warmroute.recorder.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
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

    /** A process that replaces a file for ever, by one of another size each time, and says so after each. */
    static final class Replacing {
        static String content(int round) {
            return Integer.toString(round % 10).repeat(100_000 * (1 + round % 7));
        }

        public static void main(String[] args) throws IOException {
            for (int round = 0; ; round++) {
                write(Path.of(args[0]), content(round));
                System.out.println(round);
            }
        }
    }

    @Test
    void aProcessThatIsKilledLeavesTheOldFileOrTheNewOneWhole() throws Exception {
        Path file = directory.resolve("a.csv");
        for (int kill = 0; kill < 5; kill++) {
            Process process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Replacing.class.getName(),
                            file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said = process.inputReader()) {
                int last = -1;
                while (last < 20 + kill) {
                    last = Integer.parseInt(said.readLine());
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
            String found = Files.readString(file);
            int digit = found.charAt(0) - '0';
            assertThat(IntStream.range(0, 70).filter(r -> r % 10 == digit).mapToObj(Replacing::content))
                    .as("a file of %d bytes that begins with %d", found.length(), digit)
                    .contains(found);
        }
    }

    @Test
    void whoAskedForAFileThatCannotBeWrittenIsToldWhichAndWhatToDo() throws IOException {
        Path inTheWay = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> WholeFile.save(inTheWay.resolve("a.csv"), "new"))
                .isInstanceOf(UserError.class)
                .hasMessage(inTheWay.resolve("a.csv") + " cannot be written: a file is in the way: " + inTheWay
                        + "; choose a place that can be written");
        assertThatThrownBy(() -> WholeFile.save(directory, "new"))
                .isInstanceOf(UserError.class)
                .hasMessage(directory + " cannot be written: Is a directory; choose a place that can be written");
    }
}

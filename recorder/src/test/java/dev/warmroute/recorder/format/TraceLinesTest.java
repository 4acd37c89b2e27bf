package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceLinesTest {
    @TempDir
    Path dir;

    private List<String> lines(String content) throws IOException {
        Path file = dir.resolve("lines");
        Files.writeString(file, content);
        List<String> found = new ArrayList<>();
        try (TraceLines lines = new TraceLines(new TraceFile(file, "lines"))) {
            while (lines.next()) {
                found.add(lines.text());
                assertThat(lines.number()).isEqualTo(found.size());
                assertThat(lines.isBlank()).isEqualTo(found.getLast().isBlank());
            }
        }
        return found;
    }

    @Test
    void linesEndAsTheyDoForAReaderOfText() throws IOException {
        for (String content :
                List.of("", "\n", "\r\n", "\r", "a", "a\n", "a\r\rb\r\n\r\nc", "\n\r", "\u00e9\r\n \u2003\n{")) {
            assertThat(lines(content))
                    .as("%s", content.codePoints().boxed().toList())
                    .isEqualTo(content.lines().toList());
        }
    }

    @Test
    void linesOfAnyLengthCrossTheBuffersEdges() throws IOException {
        Random random = new Random(4);
        StringBuilder content = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            int length = random.nextInt(4) == 0 ? 65_530 + random.nextInt(12) : random.nextInt(40_000);
            for (int c = 0; c < length; c++) {
                content.append((char) ('a' + random.nextInt(26)));
            }
            content.append(
                    switch (random.nextInt(3)) {
                        case 0 -> "\n";
                        case 1 -> "\r\n";
                        default -> "\r";
                    });
        }
        assertThat(lines(content.toString()))
                .isEqualTo(content.toString().lines().toList());
    }
}

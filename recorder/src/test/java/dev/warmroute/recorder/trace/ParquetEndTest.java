package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetEndTest {
    @TempDir
    Path temp;

    private List<Path> segments() throws IOException {
        Path trace = temp.resolve("trace");
        try (TraceWriter writer =
                TraceWriter.open(trace, "0.1.0", "cluster-1", "warmroute", new Limits(150, Long.MAX_VALUE))) {
            Traffic.events("warden", 4, 3, 20, 300, 7).forEach(writer::append);
        }
        Path turns = temp.resolve("turns");
        try (TurnTraceWriter writer = TurnTraceWriter.create(turns, "test")) {
            writer.append(new Turn(0, 0, "a", "", 1, 0, Prompt.of(0, 100), 5, 100, Turn.Recorded.NOTHING));
            writer.complete(new Imported(
                    "recording", "one", "", 0, true, true, true, true, 1, 0, Prefixes.TOKENS.wireName(), List.of()));
        }
        try (Stream<Path> files = Files.walk(temp)) {
            return files.filter(f -> f.toString().endsWith(".parquet")).toList();
        }
    }

    private static byte[] footer(byte[] file) {
        int tail = file.length - ParquetEnd.TAIL;
        int length = ParquetEnd.footerLength(Arrays.copyOfRange(file, tail, file.length));
        return Arrays.copyOfRange(file, tail - length, tail);
    }

    @Test
    void theBytesOfASegmentDoNotDependOnTheJvmsHashCodes() throws IOException {
        assertThat(segments()).hasSizeGreaterThan(4).allSatisfy(segment -> {
            byte[] file = Files.readAllBytes(segment);
            FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(footer(file)));
            assertThat(footer.getRow_groups().getFirst().getColumns())
                    .allSatisfy(column -> assertThat(column.getMeta_data().getEncodings())
                            .isSortedAccordingTo(Comparator.comparingInt(Encoding::getValue)));
            byte[] end = ParquetEnd.inOrder(otherOrder(footer));
            assertThat(Arrays.copyOfRange(file, file.length - end.length, file.length))
                    .as("whatever the order was")
                    .isEqualTo(end);
        });
        Recording.open(temp.resolve("trace")).verifyHashes();
    }

    private static byte[] otherOrder(FileMetaData footer) throws IOException {
        footer.getRow_groups()
                .forEach(group -> group.getColumns()
                        .forEach(column ->
                                Collections.reverse(column.getMeta_data().getEncodings())));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Util.writeFileMetaData(footer, bytes);
        return bytes.toByteArray();
    }
}

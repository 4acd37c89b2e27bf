package dev.warmroute.export.report;

import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Puts a report on the disk, whole or not at all. */
final class ReportFiles {
    private ReportFiles() {}

    static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    static void write(Path file, byte[] bytes) {
        try {
            WholeFile.write(file, bytes);
        } catch (IOException e) {
            throw new UserError(
                    "the report could not be written to " + file + ": " + e.getMessage()
                            + "; choose a file that can be written",
                    e);
        }
    }
}

package dev.warmroute.export.report;

import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files a report can be; a new one is a constant with its ending and its writer. */
public enum ReportFormat {
    HTML("html", m -> text(new HtmlReport().render(m))),
    MARKDOWN("md", m -> text(new MarkdownReport().render(m))),
    JSON("json", m -> text(new JsonReport().render(m))),
    PDF("pdf", m -> new PdfReport().render(m));

    /** Name of the files in a directory, without the ending. */
    private static final String NAME = "report";

    private final String ending;
    private final Function<ReportModel, byte[]> writer;

    ReportFormat(String ending, Function<ReportModel, byte[]> writer) {
        this.ending = ending;
        this.writer = writer;
    }

    private static byte[] text(String words) {
        return words.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the file's bytes. */
    public byte[] render(ReportModel model) {
        return writer.apply(model);
    }

    /**
     * Whether a path names a directory of reports: one that is there, or a name without an ending.
     *
     * @throws UserError if it has an ending that no format has
     */
    public static boolean isDirectory(Path path) {
        String name = path.getFileName() == null ? "" : path.getFileName().toString();
        if (Files.isDirectory(path) || name.lastIndexOf('.') <= 0) {
            return true;
        }
        of(path);
        return false;
    }

    /**
     * Writes a report: one file whose ending says how, or every format and the tables into a directory.
     *
     * @return what to look at first
     */
    public static Path write(ReportModel model, Path path) {
        if (!isDirectory(path)) {
            WholeFile.save(path, of(path).render(model));
            return path;
        }
        for (ReportFormat format : values()) {
            WholeFile.save(path.resolve(NAME + '.' + format.ending), format.render(model));
        }
        new ReportTables(model).write(path.resolve("tables"));
        return path.resolve(NAME + '.' + HTML.ending);
    }

    private static ReportFormat of(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return Stream.of(values())
                .filter(f -> name.endsWith('.' + f.ending))
                .findFirst()
                .orElseThrow(() -> new UserError("a report is a file that ends in "
                        + Stream.of(values()).map(f -> '.' + f.ending).collect(Collectors.joining(", "))
                        + ", or a directory for all of them, not " + file));
    }
}

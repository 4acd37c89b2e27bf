package dev.warmroute.export.notebook;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.ChartFormat;
import dev.warmroute.export.report.JsonReport;
import dev.warmroute.export.report.ReportModel;
import dev.warmroute.export.report.ReportModel.PlacedChart;
import dev.warmroute.export.report.ReportTables;
import dev.warmroute.export.table.TableFormat;
import dev.warmroute.export.table.TableSchema;
import dev.warmroute.export.table.TableSet;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory of an export: {@code tables/}, {@code charts/}, {@code report.json}, {@code notebook.ipynb} and
 * {@code export.json}, which lists the others. The same input gives the same bytes.
 */
public final class ExportDirectory implements AutoCloseable {
    private final Path directory;
    private final Set<TableFormat> formats;
    private final Set<ChartFormat> pictures;
    private final TableSet tables;
    private final Set<Path> files = new TreeSet<>();

    private ExportDirectory(Path directory, Set<TableFormat> formats, Set<ChartFormat> pictures) {
        this.directory = directory;
        this.formats = new TreeSet<>(formats);
        this.pictures = new TreeSet<>(pictures);
        this.tables = new TableSet(directory.resolve("tables"), formats);
    }

    /**
     * What was written.
     *
     * @param report the figures; empty without a report
     * @param notebook empty without Parquet, which it reads
     */
    public record Contents(List<TableSet.Written> tables, int charts, Optional<Path> report, Optional<Path> notebook) {
        public Contents {
            tables = List.copyOf(tables);
        }
    }

    /**
     * Makes the directory ready. An earlier export in it is removed.
     *
     * @param formats of the tables, at least one
     * @param pictures of the charts; none for no charts
     * @throws UserError if it has something else in it, or cannot be written
     */
    public static ExportDirectory prepare(Path directory, Set<TableFormat> formats, Set<ChartFormat> pictures) {
        try {
            if (ExportManifest.isIn(directory)) {
                for (String file : ExportManifest.read(directory).files()) {
                    Files.deleteIfExists(inside(directory, file));
                }
                Files.delete(directory.resolve(ExportManifest.FILE));
            } else if (Files.isDirectory(directory) && !isEmpty(directory)) {
                throw new UserError(directory + " is not empty and not an earlier export; choose another --out");
            }
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw failed(directory, e);
        }
        return new ExportDirectory(directory, formats, pictures);
    }

    private static Path inside(Path directory, String file) {
        Path path = directory.resolve(file).normalize();
        if (!path.startsWith(directory.normalize())) {
            throw new UserError(directory.resolve(ExportManifest.FILE) + " lists " + file
                    + ", which is not in its directory; choose another --out");
        }
        return path;
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> content = Files.list(directory)) {
            return content.findAny().isEmpty();
        }
    }

    /** Takes the rows of the tables that are not made of the report. */
    public TableSet tables() {
        return tables;
    }

    /**
     * Writes the rest: the tables, charts and figures of the report, the notebook.
     *
     * @param version of warmroute
     */
    public Contents finish(Findings found, String version) {
        Optional<ReportModel> report = found.report();
        report.map(ReportTables::new).ifPresent(r -> r.write(tables, found.replicaReuse()));
        List<TableSet.Written> written = tables.finish();
        written.forEach(t -> files.addAll(t.files()));
        List<Chart> charts = report.map(r -> r.charts().stream().map(PlacedChart::chart).toList()).orElse(List.of());
        for (ChartFormat format : pictures) {
            for (Chart chart : charts) {
                write("charts/" + chart.id() + '.' + format.formatName(), format.draw(chart));
            }
        }
        Optional<Path> figures = report.map(r -> write("report.json", new JsonReport().render(r).getBytes(StandardCharsets.UTF_8)));
        Optional<Path> notebook = formats.contains(TableFormat.PARQUET)
                ? Optional.of(notebook(found, written, pictures.isEmpty() ? List.of() : charts))
                : Optional.empty();
        ExportManifest manifest = new ExportManifest(
                TableSchema.VERSION,
                version,
                written.stream().map(t -> new ExportManifest.Table(t.schema().name(), t.rows())).toList(),
                files.stream().map(f -> directory.relativize(f).toString().replace('\\', '/')).toList());
        write(ExportManifest.FILE, manifest.json().getBytes(StandardCharsets.UTF_8));
        return new Contents(written, pictures.isEmpty() ? 0 : charts.size(), figures, notebook);
    }

    private Path notebook(Findings found, List<TableSet.Written> written, List<Chart> charts) {
        String extension = pictures.stream().findFirst().map(ChartFormat::formatName).orElse("");
        String json = ExportNotebook.of(found, written, charts, extension).json();
        return write("notebook.ipynb", json.getBytes(StandardCharsets.UTF_8));
    }

    private Path write(String name, byte[] content) {
        Path file = directory.resolve(name);
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, content);
        } catch (IOException e) {
            throw failed(directory, e);
        }
        files.add(file);
        return file;
    }

    private static UserError failed(Path directory, IOException e) {
        return new UserError(
                "the export could not be written to " + directory + ": " + e.getMessage()
                        + "; choose a directory that can be written",
                e);
    }

    @Override
    public void close() {
        tables.close();
    }
}

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
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory of an export: {@code tables/}, {@code charts/}, {@code report.json}, {@code notebook.ipynb} and
 * {@code export.json}, which lists the others. The same input gives the same bytes.
 *
 * <p>All of it is written beside an earlier export and takes its place at the end: one that fails leaves the earlier one, and
 * a directory that the next one accepts. One export at a time may write to a directory.
 */
public final class ExportDirectory implements AutoCloseable {
    private static final String UNFINISHED = ".unfinished-export";

    private final Path directory;
    private final Path unfinished;
    private final boolean made;
    private final List<String> earlier;
    private final Set<TableFormat> formats;
    private final Set<ChartFormat> pictures;
    private final TableSet tables;
    private final Set<Path> files = new TreeSet<>();

    private ExportDirectory(
            Path directory,
            Path unfinished,
            boolean made,
            List<String> earlier,
            Set<TableFormat> formats,
            Set<ChartFormat> pictures) {
        this.directory = directory;
        this.unfinished = unfinished;
        this.made = made;
        this.earlier = earlier;
        this.formats = new TreeSet<>(formats);
        this.pictures = new TreeSet<>(pictures);
        this.tables = new TableSet(unfinished.resolve("tables"), formats);
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
     * Makes the directory ready. An earlier export in it stays until this one is finished.
     *
     * @param formats of the tables, at least one
     * @param pictures of the charts; none for no charts
     * @throws UserError if it has something else in it, or cannot be written
     */
    public static ExportDirectory prepare(Path directory, Set<TableFormat> formats, Set<ChartFormat> pictures) {
        Path unfinished = directory.resolve(UNFINISHED);
        boolean made = !Files.exists(directory);
        List<String> earlier = List.of();
        try {
            if (ExportManifest.isIn(directory)) {
                earlier = ExportManifest.read(directory).files();
                earlier.forEach(file -> inside(directory, file));
            } else if (Files.isDirectory(directory) && !isEmpty(directory)) {
                throw new UserError(directory + " is not empty and not an earlier export; choose another --out");
            }
            remove(unfinished);
            Files.createDirectories(unfinished);
        } catch (IOException e) {
            throw failed(directory, e);
        }
        return new ExportDirectory(directory, unfinished, made, earlier, formats, pictures);
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
            return content.allMatch(f -> f.getFileName().toString().equals(UNFINISHED));
        }
    }

    /** Removes what was not finished, if there is any. */
    private static void remove(Path unfinished) throws IOException {
        if (!Files.exists(unfinished)) {
            return;
        }
        try (Stream<Path> content = Files.walk(unfinished)) {
            for (Path path : content.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Takes the rows of the tables that are not made of the report. */
    public TableSet tables() {
        return tables;
    }

    /**
     * Writes the rest: the tables, charts and figures of the report, the notebook. Then all of it replaces the earlier export.
     *
     * @param version of warmroute
     */
    public Contents finish(Findings found, String version) {
        Optional<ReportModel> report = found.report();
        report.map(ReportTables::new).ifPresent(r -> r.write(tables, found.replicaReuse()));
        List<TableSet.Written> written = tables.finish();
        written.forEach(t -> t.files().forEach(f -> files.add(unfinished.relativize(f))));
        List<Chart> charts = report.map(
                        r -> r.charts().stream().map(PlacedChart::chart).toList())
                .orElse(List.of());
        for (ChartFormat format : pictures) {
            for (Chart chart : charts) {
                write("charts/" + chart.id() + '.' + format.formatName(), format.draw(chart));
            }
        }
        Optional<Path> figures =
                report.map(r -> write("report.json", new JsonReport().render(r).getBytes(StandardCharsets.UTF_8)));
        Optional<Path> notebook = formats.contains(TableFormat.PARQUET)
                ? Optional.of(notebook(found, written, pictures.isEmpty() ? List.of() : charts))
                : Optional.empty();
        ExportManifest manifest = new ExportManifest(
                TableSchema.VERSION,
                version,
                written.stream()
                        .map(t -> new ExportManifest.Table(t.schema().name(), t.rows()))
                        .toList(),
                files.stream().map(f -> f.toString().replace('\\', '/')).toList());
        try {
            replaceEarlier(manifest);
        } catch (IOException e) {
            throw failed(directory, e);
        }
        return new Contents(
                written.stream().map(this::placed).toList(), pictures.isEmpty() ? 0 : charts.size(), figures, notebook);
    }

    private TableSet.Written placed(TableSet.Written table) {
        return new TableSet.Written(
                table.schema(),
                table.rows(),
                table.files().stream()
                        .map(f -> directory.resolve(unfinished.relativize(f)))
                        .toList());
    }

    /** What may be removed is listed at any moment, so that a crash in between leaves an earlier export to the next one. */
    private void replaceEarlier(ExportManifest manifest) throws IOException {
        Set<String> removable = new TreeSet<>(earlier);
        removable.addAll(manifest.files());
        list(manifest.withFiles(List.copyOf(removable)));
        removable.removeAll(manifest.files());
        for (String file : removable) {
            Files.deleteIfExists(inside(directory, file));
        }
        for (Path file : files) {
            Path place = directory.resolve(file);
            Files.createDirectories(place.getParent());
            Files.move(unfinished.resolve(file), place, StandardCopyOption.ATOMIC_MOVE);
        }
        list(manifest);
        remove(unfinished);
    }

    private void list(ExportManifest manifest) throws IOException {
        WholeFile.write(directory.resolve(ExportManifest.FILE), manifest.json().getBytes(StandardCharsets.UTF_8));
    }

    private Path notebook(Findings found, List<TableSet.Written> written, List<Chart> charts) {
        String extension =
                pictures.stream().findFirst().map(ChartFormat::formatName).orElse("");
        String json = ExportNotebook.of(found, written, charts, extension).json();
        return write("notebook.ipynb", json.getBytes(StandardCharsets.UTF_8));
    }

    private Path write(String name, byte[] content) {
        Path file = unfinished.resolve(name);
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, content);
        } catch (IOException e) {
            throw failed(directory, e);
        }
        files.add(Path.of(name));
        return directory.resolve(name);
    }

    private static UserError failed(Path directory, IOException e) {
        return new UserError(
                "the export could not be written to " + directory + ": " + FileErrors.reason(e)
                        + "; choose a directory that can be written",
                e);
    }

    @Override
    public void close() {
        try {
            tables.close();
            remove(unfinished);
            if (made && isEmpty(directory)) {
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw failed(directory, e);
        }
    }
}

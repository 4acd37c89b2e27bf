package dev.warmroute.export.notebook;

import dev.warmroute.export.table.DecisionRow;
import dev.warmroute.export.table.ReplicaSampleRow;
import dev.warmroute.export.table.ReuseRow;
import dev.warmroute.export.table.RuleRow;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.export.table.SweepRow;
import dev.warmroute.export.table.TableSchema;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.export.table.ValidationRow;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A part of the notebook, there when its tables are. Its text is a resource of the constant's name: Markdown, with Python in
 * fenced blocks that become cells of code. A new part is such a file and its line here.
 */
enum NotebookSection {
    HITS(TurnRow.SCHEMA),
    TTFT(TurnRow.SCHEMA),
    MISSES(TurnRow.SCHEMA),
    INTERVALS(SweepRow.SCHEMA),
    RULE(RuleRow.SCHEMA),
    REUSE(ReuseRow.SCHEMA),
    GROWTH(TurnRow.SCHEMA),
    SESSIONS(SessionRow.SCHEMA),
    DECISIONS(DecisionRow.SCHEMA),
    REPLICAS(ReplicaSampleRow.SCHEMA),
    VALIDATION(ValidationRow.SCHEMA),
    /** Holds what the other parts computed against the report. */
    AGREEMENT(TurnRow.SCHEMA, SweepRow.SCHEMA);

    private static final String FENCE = "```";

    private final Set<TableSchema<?>> needs;

    NotebookSection(TableSchema<?>... needs) {
        this.needs = Set.of(needs);
    }

    boolean allowedBy(Set<TableSchema<?>> tables) {
        return tables.containsAll(needs);
    }

    List<Notebook.Cell> cells() {
        String name = name().toLowerCase(Locale.ROOT);
        return split(name, resource(name + ".md"));
    }

    static List<Notebook.Cell> split(String id, String text) {
        List<Notebook.Cell> cells = new ArrayList<>();
        boolean code = false;
        StringBuilder part = new StringBuilder();
        for (String line : text.lines().toList()) {
            if (line.startsWith(FENCE)) {
                add(cells, id, code, part);
                code = !code;
            } else {
                part.append(line).append('\n');
            }
        }
        add(cells, id, code, part);
        return cells;
    }

    private static void add(List<Notebook.Cell> cells, String id, boolean code, StringBuilder part) {
        if (!part.toString().isBlank()) {
            cells.add(new Notebook.Cell(id + '-' + (cells.size() + 1), code, part.toString()));
        }
        part.setLength(0);
    }

    static String resource(String name) {
        try (InputStream in = NotebookSection.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the resource " + name + " cannot be read", e);
        }
    }
}

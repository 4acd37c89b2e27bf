package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.ui.TextAnchor;

/**
 * P9: how much of the prompts was found in the cache, and why the rest was computed, in percent of the prompt tokens
 * of each policy.
 */
public record PromptTokens(String id, String title, List<Row> rows, Source source) implements Chart {
    private static final Ink[] CAUSES = {Ink.ORANGE, Ink.PURPLE, Ink.GREEN, Ink.ROSE, Ink.OCHRE, Ink.MUTED, Ink.AXIS};
    private static final String COMPUTED = "computed";
    private static final double LABEL_FROM_PCT = 8;
    private static final int ROWS_TOLD = 4;

    public PromptTokens {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(source, "source");
        rows = List.copyOf(rows);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(title + ": no policy reports cached tokens");
        }
    }

    /**
     * @param promptTokens all prompt tokens; at least 1
     * @param cachedTokens those found in the cache
     * @param misses the others by cause; empty when nobody knows why
     */
    public record Row(String policy, long promptTokens, long cachedTokens, SortedMap<String, Long> misses) {
        public Row {
            if (promptTokens < 1 || cachedTokens < 0 || cachedTokens > promptTokens) {
                throw new IllegalArgumentException(
                        policy + ": " + cachedTokens + " cached of " + promptTokens + " prompt tokens");
            }
            misses = Collections.unmodifiableSortedMap(new TreeMap<>(misses));
        }

        double share(long tokens) {
            return 100.0 * tokens / promptTokens;
        }

        long tokens(String cause) {
            return misses.isEmpty()
                    ? cause.equals(COMPUTED) ? promptTokens - cachedTokens : 0
                    : misses.getOrDefault(cause, 0L);
        }
    }

    private List<String> causes() {
        TreeSet<String> causes = new TreeSet<>();
        for (Row row : rows) {
            causes.addAll(
                    row.misses().isEmpty() ? List.of(COMPUTED) : row.misses().keySet());
        }
        causes.removeIf(c -> total(c) == 0);
        List<String> ordered = new ArrayList<>(causes);
        ordered.sort((a, b) -> Long.compare(total(b), total(a)));
        return ordered;
    }

    private long total(String cause) {
        return rows.stream().mapToLong(r -> r.tokens(cause)).sum();
    }

    private static String words(String cause) {
        return cause.replace('_', ' ').toLowerCase(Locale.ROOT);
    }

    @Override
    public String plot() {
        return "P9";
    }

    @Override
    public String summary() {
        return rows.size() <= ROWS_TOLD ? eachRow() : range();
    }

    private String range() {
        Comparator<Row> byHit = Comparator.comparingDouble(r -> r.share(r.cachedTokens()));
        Row low = rows.stream().min(byHit).orElseThrow(),
                high = rows.stream().max(byHit).orElseThrow();
        return "From " + Unit.PERCENT.text(low.share(low.cachedTokens())) + " cached (" + low.policy() + ") to "
                + Unit.PERCENT.text(high.share(high.cachedTokens())) + " (" + high.policy() + ")"
                + (causes().isEmpty() ? "." : "; over all of them, most other tokens: " + words(causes().get(0)) + ".");
    }

    private String eachRow() {
        StringBuilder text = new StringBuilder();
        for (Row row : rows) {
            text.append(text.isEmpty() ? "" : " ").append(row.policy()).append(": ");
            text.append(Unit.PERCENT.text(row.share(row.cachedTokens()))).append(" cached");
            String worst = causes().stream()
                    .max((a, b) -> Long.compare(row.tokens(a), row.tokens(b)))
                    .orElse("");
            if (!row.misses().isEmpty() && row.tokens(worst) > 0) {
                text.append(", most other tokens: ").append(words(worst)).append(' ');
                text.append(Unit.PERCENT.text(row.share(row.tokens(worst))));
            }
            text.append('.');
        }
        return text.toString();
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": tokens behind the bars")
                .words("Policy")
                .numbers("prompt", Unit.TOKENS);
        table.numbers("cached", Unit.TOKENS);
        causes().forEach(c -> table.numbers(words(c), Unit.TOKENS));
        for (Row row : rows) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.words(row.policy()));
            cells.add(Cell.of(row.promptTokens(), Unit.TOKENS));
            cells.add(Cell.of(row.cachedTokens(), Unit.TOKENS));
            causes().forEach(c -> cells.add(Cell.of(row.tokens(c), Unit.TOKENS)));
            table.row(cells);
        }
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        int bars = 34 * rows.size();
        return List.of(Layout.wide(96 + bars), Layout.narrow(150 + bars));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        BarPlot plot = new BarPlot(
                style,
                ScaledAxis.named(rows.stream().map(Row::policy).toList()),
                ScaledAxis.of(Scale.linear(Scale::trimmed), 0, 100),
                PlotOrientation.HORIZONTAL);
        double[] from = new double[rows.size()];
        from = stack(
                plot,
                "cached",
                Ink.BLUE,
                from,
                rows.stream().mapToLong(Row::cachedTokens).toArray());
        List<String> causes = causes();
        for (int i = 0; i < causes.size(); i++) {
            String cause = causes.get(i);
            long[] tokens = rows.stream().mapToLong(r -> r.tokens(cause)).toArray();
            from = stack(plot, words(cause), CAUSES[Math.min(i, CAUSES.length - 1)], from, tokens);
        }
        return plot.chart("Prompt tokens, % of each policy's", true);
    }

    private double[] stack(BarPlot plot, String name, Ink ink, double[] from, long[] tokens) {
        double[] to = new double[from.length];
        for (int i = 0; i < from.length; i++) {
            double share = rows.get(i).share(tokens[i]);
            to[i] = from[i] + share;
            if (share >= LABEL_FROM_PCT && ink.carriesText()) {
                plot.label(i, from[i] + share / 2, Unit.PERCENT.digits(share), Ink.PAPER, TextAnchor.CENTER);
            }
        }
        plot.segments(name, ink, from, to);
        return to;
    }
}

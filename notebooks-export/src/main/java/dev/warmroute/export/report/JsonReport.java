package dev.warmroute.export.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.DataTable.Column;
import dev.warmroute.export.report.ReportModel.PlacedChart;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.event.EventCodec;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes a report as JSON: the results with the field names of their commands, and every chart with the points it draws. What
 * is not known is null. Every figure and every sentence of the HTML page is in it.
 */
public final class JsonReport {
    private static final ObjectMapper MAPPER = EventCodec.mapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Returns the JSON, indented. The same model gives the same text. */
    public String render(ReportModel model) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
        try {
            return MAPPER.writer(printer).writeValueAsString(node(model)) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report could not be written as JSON", e);
        }
    }

    /** Writes it to a file; its directory is made if it is missing. */
    public void write(ReportModel model, Path file) {
        WholeFile.save(file, render(model));
    }

    /** Returns the JSON as a tree. */
    public ObjectNode node(ReportModel model) {
        ObjectNode json = NODES.objectNode();
        json.put("schema_version", ReportModel.SCHEMA_VERSION);
        json.put("title", model.title());
        json.set("doubt", MAPPER.valueToTree(model.doubt()));
        json.set("verdict", verdict(model.verdict()));
        ObjectNode provenance = MAPPER.valueToTree(model.provenance());
        provenance.put("source", model.provenance().source().text());
        provenance.put(
                "source_without_intervals",
                model.provenance().sourceWithoutIntervals().text());
        model.provenance().cacheTokens().ifPresent(c -> provenance.put("cache_tokens", c));
        json.set("provenance", provenance);
        json.set("assertions", MAPPER.valueToTree(model.assertions()));
        json.set("capacity", MAPPER.valueToTree(model.capacity()));
        json.set("checks", MAPPER.valueToTree(model.checks()));
        json.put("agreement", model.agreement());
        json.set("scenarios", MAPPER.valueToTree(model.scenarios()));
        json.set("accuracy", MAPPER.valueToTree(model.accuracy()));
        json.set("comparisons", MAPPER.valueToTree(model.comparisons()));
        json.set("largest_sessions", MAPPER.valueToTree(model.largestSessions()));
        json.set("costliest_sessions", MAPPER.valueToTree(model.costliestSessions()));
        json.set("runs", MAPPER.valueToTree(model.runs()));
        ArrayNode charts = json.putArray("charts");
        for (PlacedChart placed : model.charts()) {
            charts.add(chart(placed.chart()));
        }
        json.set("definitions", MAPPER.valueToTree(model.definitions()));
        json.set("caveats", MAPPER.valueToTree(model.caveats()));
        json.set("plots_left_out", MAPPER.valueToTree(model.leftOut()));
        return json;
    }

    private static ObjectNode verdict(VerdictBox verdict) {
        ObjectNode json = NODES.objectNode();
        json.put("level", verdict.level().wireName());
        json.put("headline", verdict.headline());
        json.put("answer", verdict.answer());
        json.put("recommendation", verdict.recommendation());
        json.put("confidence", verdict.confidence());
        ArrayNode facts = json.putArray("facts");
        for (Fact fact : verdict.facts()) {
            ObjectNode entry = facts.addObject();
            entry.put("label", fact.label());
            entry.set("value", cell(fact.value()));
            entry.put("unit", fact.value() instanceof Cell.Number n ? n.unit().symbol() : "");
            entry.put("note", fact.note());
        }
        return json;
    }

    private static ObjectNode chart(Chart chart) {
        ObjectNode json = NODES.objectNode();
        json.put("id", chart.id());
        json.put("plot", chart.plot());
        json.put("title", chart.title());
        json.put("summary", chart.summary());
        json.put("source", chart.source().text());
        DataTable data = chart.data();
        ArrayNode columns = json.putArray("columns");
        for (Column column : data.columns()) {
            columns.add(column.head());
        }
        ArrayNode rows = json.putArray("rows");
        for (List<Cell> row : data.rows()) {
            ArrayNode cells = rows.addArray();
            row.forEach(cell -> cells.add(cell(cell)));
        }
        return json;
    }

    /** A number, a number with its interval, words, or null. */
    private static JsonNode cell(Cell cell) {
        return switch (cell) {
            case Cell.Words words -> NODES.textNode(words.text());
            case Cell.Missing missing -> NODES.nullNode();
            case Cell.Number number ->
                number.range()
                        .<JsonNode>map(r -> NODES.objectNode()
                                .<ObjectNode>set("value", number(number.value()))
                                .<ObjectNode>set("low", number(r.low()))
                                .<ObjectNode>set("high", number(r.high())))
                        .orElse(number(number.value()));
        };
    }

    private static JsonNode number(double value) {
        return JsonNumbers.isWhole(value) ? NODES.numberNode((long) value) : NODES.numberNode(value);
    }
}

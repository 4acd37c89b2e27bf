package dev.warmroute.export.notebook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;

/**
 * A Jupyter notebook for a Python kernel, in nbformat 4.5, without outputs.
 *
 * @param cells from the top
 */
record Notebook(List<Cell> cells) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    Notebook {
        cells = List.copyOf(cells);
    }

    /**
     * @param id unique within the notebook
     * @param code whether it is Python; else it is Markdown
     */
    record Cell(String id, boolean code, String text) {
        Cell {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(text, "text");
        }
    }

    /** Returns the file's text. */
    String json() {
        ObjectNode root = MAPPER.createObjectNode();
        ArrayNode list = root.putArray("cells");
        for (Cell cell : cells) {
            ObjectNode node = list.addObject();
            node.put("cell_type", cell.code ? "code" : "markdown");
            if (cell.code) {
                node.putNull("execution_count");
            }
            node.put("id", cell.id);
            node.putObject("metadata");
            if (cell.code) {
                node.putArray("outputs");
            }
            ArrayNode source = node.putArray("source");
            List<String> lines = cell.text.strip().lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                source.add(i < lines.size() - 1 ? lines.get(i) + "\n" : lines.get(i));
            }
        }
        ObjectNode metadata = root.putObject("metadata");
        metadata.putObject("kernelspec")
                .put("display_name", "Python 3")
                .put("language", "python")
                .put("name", "python3");
        metadata.putObject("language_info").put("name", "python");
        root.put("nbformat", 4);
        root.put("nbformat_minor", 5);
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(new DefaultIndenter(" ", "\n"));
        printer.indentArraysWith(new DefaultIndenter(" ", "\n"));
        try {
            return MAPPER.writer(printer).writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a notebook could not be written as JSON", e);
        }
    }
}

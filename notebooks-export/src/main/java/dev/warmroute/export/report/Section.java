package dev.warmroute.export.report;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.Source;
import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A section of the report, ready to be written.
 *
 * @param id anchor
 * @param lead how to read it, in a sentence or two; may be empty
 */
record Section(String id, String title, String lead, List<Block> blocks) {
    Section {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(lead, "lead");
        blocks = List.copyOf(blocks);
    }

    /** A part of a section. */
    sealed interface Block {}

    /** A sentence or two. */
    record Text(String words) implements Block {}

    /**
     * A table.
     *
     * @param source where its figures come from; empty for a table without figures of a trace
     * @param note how to read it; may be empty
     */
    record TableBlock(DataTable table, Optional<Source> source, String note) implements Block {}

    /** Charts, small ones side by side. */
    record Charts(List<Chart> charts) implements Block {
        public Charts {
            charts = List.copyOf(charts);
        }
    }

    /** Labels and values. */
    record Facts(List<Entry> entries) implements Block {
        public Facts {
            entries = List.copyOf(entries);
        }

        /**
         * @param code whether the value is to be copied as it is: a command, a hash
         */
        record Entry(String label, Cell value, boolean code) {}
    }

    /** Sentences under a heading. */
    record Bullets(String heading, List<String> sentences) implements Block {
        public Bullets {
            sentences = List.copyOf(sentences);
        }
    }

    /** Terms and what they mean. */
    record Definitions(List<Definition> terms) implements Block {
        public Definitions {
            terms = List.copyOf(terms);
        }
    }
}

package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording is plain Parquet: what a notebook asks needs nothing of ours. */
class NotebookTest {
    @TempDir
    Path dir;

    @Test
    void sqlReadsTheSegmentsAsTheyAre() throws SQLException {
        List<RecordedEvent> events = Traffic.events("warden", 4, 3, 20, 500, 7);
        try (TraceWriter writer = TraceWriter.open(dir, "0.1.0", "", "", new Limits(120, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = connection.createStatement()) {
            long sticky = events.stream()
                    .filter(e -> e.topic() == Topic.DECISIONS)
                    .filter(e -> new String(e.data(), java.nio.charset.StandardCharsets.UTF_8)
                            .contains("\"kind\":\"sticky\""))
                    .count();
            assertThat(number(sql, "select count(*) from '" + dir + "/decisions/*.parquet' where kind = 'sticky'"))
                    .isEqualTo(sticky);
            assertThat(number(sql, "select count(distinct ce_sequence) from '" + dir + "/*/*.parquet'"))
                    .isEqualTo(events.size());
            assertThat(
                            number(
                                    sql,
                                    "select count(*) from '" + dir + "/decisions/*.parquet' d join '" + dir
                                            + "/requests/*.parquet' r on d.ce_subject = r.ce_subject where r.status = 200 and d.chosen = r.replica"))
                    .isPositive();
            assertThat(number(
                            sql,
                            "select count(*) from '" + dir + "/decisions/*.parquet' where "
                                    + "json_extract_string(decode(data), '$.kind') = kind"))
                    .isEqualTo(500);
        }
    }

    private static long number(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }
}

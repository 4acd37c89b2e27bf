package dev.warmroute.export.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tech.tablesaw.api.Table;

/** What a notebook reads back, by DuckDB. */
class TableWriterTest {
    private static final List<SessionRow> SESSIONS = List.of(
            new SessionRow("s, \"1\"\nä", 0.25, 6, 3500, 14_100, 14_000, OptionalLong.of(2), OptionalLong.of(0)),
            new SessionRow("s2", 17, 1, 3600, 3600, 3600, OptionalLong.empty(), OptionalLong.empty()));

    private static Connection duckdb;

    @TempDir
    Path directory;

    @BeforeAll
    static void open() throws SQLException {
        duckdb = DriverManager.getConnection("jdbc:duckdb:");
    }

    @AfterAll
    static void close() throws SQLException {
        duckdb.close();
    }

    @Test
    void parquetReadsBackWithItsTypes() throws Exception {
        Path file = new TableWriter().write(SessionRow.SCHEMA, SESSIONS, directory);
        assertThat(query("describe select * from '" + file + "'").stream()
                        .map(r -> r.get("column_name") + " " + r.get("column_type")))
                .containsExactly(
                        "schema_version BIGINT",
                        "session_id VARCHAR",
                        "first_seen DOUBLE",
                        "turns BIGINT",
                        "ctx_first BIGINT",
                        "ctx_last BIGINT",
                        "ctx_p95 BIGINT",
                        "replicas_visited BIGINT",
                        "reprefill_tok BIGINT");
        List<Map<String, Object>> rows = query("select * from '" + file + "' order by first_seen");
        assertThat(rows.get(0))
                .containsEntry("schema_version", 1L)
                .containsEntry("session_id", "s, \"1\"\nä")
                .containsEntry("ctx_p95", 14_000L)
                .containsEntry("reprefill_tok", 0L);
        assertThat(rows.get(1)).as("unknown is null, never 0").containsEntry("reprefill_tok", null);
    }

    @Test
    void csvSaysTheSame() throws Exception {
        Path file = new TableWriter().write(SessionRow.SCHEMA, SESSIONS, directory);
        String csv = directory.resolve("sessions.csv").toString();
        String columns = "session_id, first_seen, turns, ctx_first, ctx_last, ctx_p95, replicas_visited, reprefill_tok";
        String read =
                "read_csv('" + csv + "', header=true, types={'replicas_visited':'BIGINT','reprefill_tok':'BIGINT'})";
        assertThat(query("select " + columns + " from " + read + " order by 2"))
                .isEqualTo(query("select " + columns + " from '" + file + "' order by 2"));
    }

    @Test
    void listsStayListsInParquetAndAreJoinedInCsv() throws Exception {
        DecisionRow row = new DecisionRow(
                "router-0-7",
                12.5,
                "q1",
                "h",
                "warden",
                "sticky",
                Optional.of("r1"),
                1,
                List.of("r0", "r1"),
                List.of(OptionalDouble.empty(), OptionalDouble.of(0.5)),
                List.of(OptionalDouble.of(3), OptionalDouble.of(0)),
                List.of(),
                List.of(),
                List.of());
        Path file = new TableWriter().write(DecisionRow.SCHEMA, List.of(row), directory);
        assertThat(query("select candidates[2] c, scores[1] none, scores[2] s, len(kv_used) n from '" + file + "'"))
                .containsExactly(row("c", "r1", "none", null, "s", 0.5, "n", 0L));
        assertThat(Files.readString(directory.resolve("decisions.csv"))).contains("r0;r1", ";0.5", "3.0;0.0");
    }

    static List<TableSchema<?>> schemas() {
        return Tables.all();
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void everyTableCanBeReadEvenWithoutRows(TableSchema<?> schema) throws Exception {
        Path file = new TableWriter().write(schema, List.of(), directory);
        List<String> names = query("describe select * from '" + file + "'").stream()
                .map(r -> (String) r.get("column_name"))
                .toList();
        assertThat(names)
                .startsWith("schema_version")
                .isEqualTo(schema.columns().stream().map(Column::name).toList());
        assertThat(Files.readString(directory.resolve(schema.name() + ".csv")))
                .isEqualTo(String.join(",", names) + "\n");
        assertThat(schema.columns()).allMatch(c -> !c.meaning().isBlank());
    }

    @Test
    void writingAgainReplacesAndGivesTheSameBytes() throws Exception {
        Path file = new TableWriter().write(SessionRow.SCHEMA, SESSIONS, directory);
        byte[] first = Files.readAllBytes(file);
        new TableWriter().write(SessionRow.SCHEMA, SESSIONS.subList(0, 1), directory);
        assertThat(query("select count(*) n from '" + file + "'")).containsExactly(row("n", 1L));
        new TableWriter().write(SessionRow.SCHEMA, SESSIONS, directory);
        assertThat(Files.readAllBytes(file)).isEqualTo(first);
    }

    @Test
    void tablesawSeesMissingValuesAsMissing() {
        Table table = TablesawTables.of(SessionRow.SCHEMA, SESSIONS);
        assertThat(table.longColumn("replicas_visited").isMissing(1)).isTrue();
        assertThat(table.longColumn("turns").sum()).isEqualTo(7);
    }

    @Test
    void aDirectoryThatIsAFileIsTheUsersToMend() throws Exception {
        Path taken = Files.createFile(directory.resolve("taken"));
        assertThatThrownBy(() -> new TableWriter().write(SessionRow.SCHEMA, SESSIONS, taken))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("sessions")
                .hasMessageContaining("taken");
    }

    private static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return row;
    }

    private static List<Map<String, Object>> query(String sql) throws SQLException {
        try (Statement statement = duckdb.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<Map<String, Object>> rows = new ArrayList<>();
            while (result.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.put(result.getMetaData().getColumnName(i), result.getObject(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }
}

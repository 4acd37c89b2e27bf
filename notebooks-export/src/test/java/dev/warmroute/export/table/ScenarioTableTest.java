package dev.warmroute.export.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.sweep.GridReader;
import dev.warmroute.simulator.sweep.LocalRunner;
import dev.warmroute.simulator.sweep.Sweep;
import dev.warmroute.simulator.sweep.SweepDirectory;
import dev.warmroute.simulator.sweep.SweepExecution;
import dev.warmroute.simulator.sweep.SweepRow;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioTableTest {
    @TempDir
    private Path directory;

    private List<SweepRow> rows;

    @BeforeEach
    void compute() throws Exception {
        Path grid = Files.writeString(directory.resolve("grid.yaml"), """
                workload: lm-warden
                seconds: 20
                policies: [random, warden]
                sessions: 3
                capacities: [100, 2095, unlimited]
                """);
        Sweep sweep = GridReader.read(grid, "test");
        try (SweepDirectory opened = SweepDirectory.open(directory.resolve("sweep"), sweep, false)) {
            SweepExecution execution = new SweepExecution(sweep, opened, new LocalRunner(1));
            execution.run(p -> {});
            rows = execution.rows();
        }
    }

    @Test
    void aRowForEachScenarioReadsBackWithItsReasonOrItsFigures() throws Exception {
        Path table = ScenarioTable.write(rows, directory);
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                ResultSet sums = duckdb.createStatement()
                        .executeQuery(
                                "select count(*), count(distinct id), count(reason), count(hit_pct), sum(requests)::bigint, sum(missed_first_turn)::bigint,"
                                        + " max(scenario), count(usable_blocks) from '" + table + "'")) {
            assertThat(sums.next()).isTrue();
            assertThat(sums.getLong(1)).isEqualTo(6);
            assertThat(sums.getLong(2)).isEqualTo(6);
            assertThat(sums.getLong(3)).isEqualTo(2);
            assertThat(sums.getLong(4)).isEqualTo(4);
            assertThat(sums.getLong(5))
                    .isEqualTo(rows.stream()
                            .flatMap(r -> r.result().figures().stream())
                            .mapToLong(f -> f.requests())
                            .sum());
            assertThat(sums.getLong(6)).isPositive();
            assertThat(sums.getLong(7)).isEqualTo(5);
            assertThat(sums.getLong(8)).isEqualTo(4);
        }
    }

    @Test
    void theBytesDoNotDependOnTheJvmsHashCodes() throws Exception {
        FileMetaData footer = footer(ScenarioTable.write(rows, directory));
        for (ColumnChunk column : footer.getRow_groups().getFirst().getColumns()) {
            assertThat(column.getMeta_data().getEncodings().stream()
                            .map(Encoding::getValue)
                            .toList())
                    .isSorted();
        }
    }

    @Test
    void aTableThatIsNoLongerTrueIsRemoved() {
        ScenarioTable.write(rows, directory);
        assertThat(directory.resolve("scenarios.csv")).exists();
        ScenarioTable.remove(directory);
        assertThat(directory.resolve("scenarios.csv")).doesNotExist();
        assertThat(directory.resolve("scenarios.parquet")).doesNotExist();
        assertThat(directory.resolve("scenarios.tmp")).doesNotExist();
    }

    private static FileMetaData footer(Path file) throws Exception {
        byte[] all = Files.readAllBytes(file);
        int length = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getInt(all.length - 8);
        return Util.readFileMetaData(new ByteArrayInputStream(all, all.length - 8 - length, length));
    }
}

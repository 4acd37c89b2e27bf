package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.simulator.capacity.Advice;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import dev.warmroute.simulator.capacity.Verdict;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OutlookTablesTest {
    @Test
    void whatIsOnlyAsFarAsWasLookedSaysSo() {
        DataTable table = OutlookTables.advice(List.of(
                advice("now", 22, false, OptionalInt.empty()),
                advice("fp8_cache", 105, true, OptionalInt.of(83)),
                advice("replica", 25, false, OptionalInt.of(3))));
        assertThat(column(table, "Kept, simulated")).containsExactly("22", "105+", "25");
        assertThat(column(table, "Gained, simulated")).containsExactly("\u2013", "\u2265+83", "+3");
    }

    private static List<String> column(DataTable table, String name) {
        int at = table.columns().stream().map(DataTable.Column::name).toList().indexOf(name);
        return table.rows().stream().map(r -> r.get(at)).map(Cell::text).toList();
    }

    private static Advice advice(String change, int kept, boolean orMore, OptionalInt gained) {
        return new Advice(
                change,
                "",
                Verdict.EDGE,
                new SessionsFit(20, 21),
                0,
                new Advice.Simulated(
                        "warden",
                        OptionalInt.of(26),
                        OptionalDouble.of(80),
                        OptionalDouble.of(1),
                        OptionalDouble.of(1_000),
                        OptionalDouble.of(2)),
                OptionalInt.of(kept),
                orMore,
                gained);
    }
}

package dev.warmroute.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedCheckTest {
    private static final String HEADER =
            "sessions,affinity,sessions_per_hour,output_tokens_per_min,ttfb_p50_s,ttfb_p95_s,replicas_busy,prefix_hit_pct,stayed_pct\n";

    @TempDir
    private Path directory;

    @Test
    void oneSetOfParametersMeetsThePublishedTable() {
        SeedResult result = new SeedCheck(10).run(Optional.empty());
        assertThat(result.complaints()).isEmpty();
        assertThat(result.rows()).hasSize(10);
        assertThat(result.hitMaePp()).isLessThanOrEqualTo(2.1);
        assertThat(result.outputMapePct()).isLessThanOrEqualTo(10);
        assertThat(List.of(
                        result.signs().output(),
                        result.signs().ttfbP50(),
                        result.signs().ttfbP95()))
                .containsOnly(5);
        assertThat(result.rows())
                .filteredOn(r -> !r.stationary())
                .as("the jump to 32 sessions, and nothing else")
                .extracting(SeedResult.Row::sessions)
                .containsExactly(32, 32);
        assertThat(result.sevenCards().sessionsPp()).isPositive();
        assertThat(result.sevenCards().placementPp())
                .isGreaterThan(result.sevenCards().sessionsPp());
        SeedResult.FirstByte off = result.median().get(0);
        SeedResult.FirstByte on = result.median().get(1);
        assertThat(on.p50S()).isGreaterThan(off.p50S());
        assertThat(on.p90S()).isLessThan(off.p90S());
    }

    @Test
    void aTableThatIsOffIsComplainedOf() throws IOException {
        Path table = directory.resolve("table.csv");
        Files.writeString(table, HEADER + "4,off,180,9000,2.05,3.5,2.71,90,\n4,on,240,6744,3.38,2.84,2.83,86.4,100\n");
        SeedResult result = new SeedCheck(1).run(Optional.of(table));
        assertThat(result.ok()).isFalse();
        assertThat(result.complaints()).hasSize(3);
        assertThat(result.pairs()).isEqualTo(1);
    }

    @Test
    void aTableWithoutRowsAndAFigureThatIsNoneAreRefused() throws IOException {
        Path table = directory.resolve("table.csv");
        Files.writeString(table, HEADER);
        assertThatThrownBy(() -> new SeedCheck(1).run(Optional.of(table)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(table.toString())
                .hasMessageContaining("no rows");
        Files.writeString(table, HEADER + "4,off,180,6744,2.05,3.5,2.71,NaN,\n");
        assertThatThrownBy(() -> new SeedCheck(1).run(Optional.of(table)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 2: prefix_hit_pct")
                .hasMessageContaining("'NaN'");
    }

    @Test
    void anErrorThatIsNoNumberIsOutsideItsTolerance() {
        SeedResult.Signs right = new SeedResult.Signs(1, 1, 1, 1);
        assertThat(SeedCheck.complaints(2, 9, 1, right)).isEmpty();
        assertThat(SeedCheck.complaints(Double.NaN, Double.NaN, 1, right)).hasSize(2);
    }

    @Test
    void noSeedsAreRefused() {
        assertThatThrownBy(() -> new SeedCheck(0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("at least 1, not 0");
    }

    @Test
    void aWrongTableIsRefusedWithThePlace() throws IOException {
        Path table = directory.resolve("table.csv");
        Files.writeString(table, HEADER + "4,off,180,many,2.05,3.5,2.71,56.2,\n");
        assertThatThrownBy(() -> new SeedCheck(1).run(Optional.of(table)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("output_tokens_per_min")
                .hasMessageContaining("'many'");
        Files.writeString(table, "a,b\n");
        assertThatThrownBy(() -> new SeedCheck(1).run(Optional.of(table))).hasMessageContaining("line 1");
    }
}

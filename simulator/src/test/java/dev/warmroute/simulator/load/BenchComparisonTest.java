package dev.warmroute.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchComparisonTest {
    private static final String HEADER =
            "run_id,tag,model_id,prompt_set,max_tokens,concurrency,repetition,prompt_tokens,ttft_ms,"
                    + "e2e_latency_ms,throughput_tps,tokens_saved,validated\n";

    @TempDir
    private Path directory;

    private Path file(String name, String... rows) throws IOException {
        return Files.writeString(directory.resolve(name), HEADER + String.join("\n", rows) + "\n");
    }

    private static String row(String tag, int concurrency, int repetition, int ttft) {
        return "r," + tag + ",m,long,128," + concurrency + "," + repetition + ",4200," + ttft + ",3000,50,0,true";
    }

    @Test
    void speedUpsAreOfMeansAndTheirIntervalsOfWholeWaves() throws IOException {
        Path cold = file(
                "cold.csv",
                row("c", 1, 1, 900),
                row("c", 1, 2, 1100),
                row("c", 1, 3, 1000),
                row("c", 2, 1, 2000),
                row("c", 2, 1, 3000),
                row("c", 8, 1, 9000));
        Path warm = file(
                "warm.csv",
                row("w", 1, 1, 500),
                row("w", 1, 2, 500),
                row("w", 1, 3, 500),
                row("w", 2, 1, 1000),
                row("w", 2, 1, 1000),
                "r,w,m,long,128,2,1,4200,,,,,false");
        BenchComparison c = BenchComparison.of(BenchFile.read(cold), BenchFile.read(warm));
        assertThat(c.only()).containsExactly(8);
        assertThat(c.left()).isEqualTo(1);
        assertThat(c.rows()).extracting(BenchComparison.Row::concurrency).containsExactly(1, 2);
        BenchComparison.Row one = c.rows().get(0);
        assertThat(one.speedUp()).isCloseTo(2.0, within(1e-12));
        assertThat(one.cold().ttftMeanInterval().orElseThrow().low()).isLessThan(0.95);
        assertThat(one.warm().ttftMeanInterval().orElseThrow().low())
                .as("all waves were alike")
                .isEqualTo(0.5);
        assertThat(one.speedUpInterval().orElseThrow().high()).isGreaterThan(2.1);
        assertThat(one.cold().hitPct().orElseThrow()).isZero();
        BenchComparison.Row two = c.rows().get(1);
        assertThat(two.speedUp()).isCloseTo(2.5, within(1e-12));
        assertThat(two.speedUpInterval())
                .as("two requests of one wave are no two waves")
                .isEmpty();
        assertThat(c).isEqualTo(BenchComparison.of(BenchFile.read(cold), BenchFile.read(warm)));
        assertThat(c.csv().lines().toList().get(2)).isEqualTo("2,2,2,2.500000,,,1.000000,,,2.500000,,");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r,w,m,long,128,1,1,4200,500,3000,50,0,true | OK",
                "r,c,m,long,128,1,1,4200,500,3000,50,0,true | warm.csv row 2: tag is 'c' as in cold.csv row 2",
                "r,w,n,long,128,1,1,4200,500,3000,50,0,true | warm.csv row 2: model_id is 'n', but cold.csv row 2 has 'm'",
                "r,w,m,short,128,1,1,4200,500,3000,50,0,true | warm.csv row 2: prompt_set is 'short', but cold.csv row 2 has 'long'",
                "r,w,m,long,64,1,1,4200,500,3000,50,0,true | warm.csv row 2: max_tokens is '64', but cold.csv row 2 has '128'",
                "r,w,m,long,128,1,1,4200,fast,3000,50,0,true | warm.csv row 2: ttft_ms is 'fast', expected a number",
                "r,w,m,long,128,1,1,4200,0,3000,50,0,true | warm.csv row 2: ttft_ms is 0, expected more",
                "r,w,m,long,128,x,1,4200,5,3000,50,0,true | warm.csv row 2: concurrency is 'x', expected a whole number",
                "r,w,m,long,128,,1,4200,5,3000,50,0,true | warm.csv row 2: concurrency is empty",
                "r,w,m,long,128,1,1,4200,-5,3000,50,0,true | warm.csv row 2: ttft_ms is -5, expected a number of at least 0",
                "r,w,m,long,128,1,1,4200,5,3000,50,0,maybe | warm.csv row 2: validated is 'maybe', expected true or false",
                "r,w,m,long,128,1,1,4200,5 | warm.csv row 2: 9 cells, but the header has 13",
                "r,w,m,long,128,1,1,4200,500,3000,50,0,false | none of its 1 rows has a complete answer",
                "r,w,m,long,128,7,1,4200,500,3000,50,0,true | have no concurrency in common: [1] and [7]",
            })
    void filesThatDoNotFitTogetherAreRefusedWithRowAndColumn(String row, String said) throws IOException {
        Path cold = file("cold.csv", row("c", 1, 1, 900));
        Path warm = file("warm.csv", row);
        if (said.equals("OK")) {
            assertThat(BenchComparison.of(BenchFile.read(cold), BenchFile.read(warm))
                            .rows())
                    .hasSize(1);
        } else {
            assertThatThrownBy(() -> BenchComparison.of(BenchFile.read(cold), BenchFile.read(warm)))
                    .isInstanceOf(UserError.class)
                    .message()
                    .matches(m -> m.replace(directory + "/", "").contains(said), said);
        }
    }

    @Test
    void rowsOfAnotherRunInTheSameFileAndFilesOfSomethingElseAreRefused() throws IOException {
        Path mixed = file("mixed.csv", row("c", 1, 1, 900), row("d", 1, 2, 900));
        assertThatThrownBy(() -> BenchFile.read(mixed))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("row 3: tag is 'd', but mixed.csv row 2 has 'c'");
        Path other = Files.writeString(directory.resolve("other.csv"), "a,b\n1,2\n");
        assertThatThrownBy(() -> BenchFile.read(other))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no column 'ttft_ms'");
        Path empty = Files.writeString(directory.resolve("empty.csv"), HEADER);
        assertThatThrownBy(() -> BenchFile.read(empty))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no rows below its header");
        assertThat(List.of(mixed, other, empty)).allMatch(Files::exists);
    }
}

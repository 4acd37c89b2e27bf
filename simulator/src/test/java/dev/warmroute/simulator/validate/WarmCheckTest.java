package dev.warmroute.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.timing.AffineLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmCheckTest {
    private static final String HEADER = "model,concurrency,cold_ttft_ms,warm_ttft_ms\n";

    @TempDir
    private Path directory;

    private static WarmResult published() {
        return new WarmCheck(WarmCheck.SYSTEM_TOKENS, WarmCheck.USER_TOKENS).run(Optional.empty());
    }

    @Test
    void oneSetOfParametersAModelMeetsTheSpeedUpsOfThePublishedTable() {
        WarmResult result = published();
        assertThat(result.complaints()).isEmpty();
        assertThat(result.cells()).hasSize(12);
        assertThat(result.models()).hasSize(4);
        assertThat(result.within()).isEqualTo(11);
        assertThat(result.worst()).isLessThan(0.25);
        assertThat(result.cells()).filteredOn(c -> !c.within()).singleElement().satisfies(c -> {
            assertThat(c.model()).isEqualTo("Qwen3-4B-4bit");
            assertThat(c.concurrency()).isEqualTo(1);
            assertThat(c.reason())
                    .contains("no more than 1.68 times as fast")
                    .contains("2.25 would need 2336 known tokens");
        });
    }

    @Property(tries = 60)
    void noLawMakesASystemPromptWorthMoreThanItsTokens(
            @ForAll @IntRange(min = 1, max = 1_000_000) int baseMicros,
            @ForAll @IntRange(min = 0, max = 10_000) int tokenMicros,
            @ForAll @IntRange(min = 0, max = 10_000) int pairNanos,
            @ForAll @IntRange(min = 1, max = 9) int requests,
            @ForAll @IntRange(min = 1, max = 3000) int system,
            @ForAll @IntRange(min = 1, max = 3000) int user) {
        AffineLaw law = AffineLaw.ofSeconds(baseMicros * 1e-6, tokenMicros * 1e-6, pairNanos * 1e-9, 0, 0);
        WarmWave wave = new WarmWave(requests, system, user);
        double speedUp = wave.meanTtft(law, false) / wave.meanTtft(law, true);
        assertThat(speedUp).isBetween(1 - 1e-6, (double) (system + user) / user + 1e-6);
    }

    @Test
    void aSpeedUpThatIsOffIsComplainedOf() throws IOException {
        Path table = Files.writeString(
                directory.resolve("t.csv"), HEADER + "m,1,1600,1000\nm,4,6400,4000\nm,8,12800,12700\n");
        WarmResult result = new WarmCheck(1_700, 2_500).run(Optional.of(table));
        assertThat(result.ok()).isFalse();
        assertThat(result.complaints())
                .anySatisfy(c -> assertThat(c).startsWith("m at 8: ").endsWith("published 1.01"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | no rows",
                "m,0,5,5 | row 2: concurrency is 0, expected 1 to 256",
                "m,1,zero,5 | row 2: cold_ttft_ms is 'zero', expected a number",
                "m,1,5,0 | row 2: warm_ttft_ms is 0, expected a time above 0",
                ",1,5,5 | row 2: model is empty",
                "m,1,9000,1000 | all speed-ups of m are impossible",
            })
    void aTableThatIsNoneIsRefused(String rows, String said) throws IOException {
        Path table = Files.writeString(directory.resolve("t.csv"), HEADER + rows + "\n");
        assertThatThrownBy(() -> new WarmCheck(1_700, 2_500).run(Optional.of(table)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(said);
    }
}

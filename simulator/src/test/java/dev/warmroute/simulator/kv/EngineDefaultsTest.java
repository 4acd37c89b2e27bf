package dev.warmroute.simulator.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.EngineDefaults.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineDefaultsTest {

    @ParameterizedTest(name = "{0} {1} {2}: {3} tokens, {4} sequences, {5}")
    @CsvSource({
        "H100, 0.32.0, SERVER, 8192, 1024, 0.92",
        "B200, 0.32.0, SERVER, 16384, 1024, 0.92", // at least 160 GiB
        "B200, 0.28.0, SERVER, 16384, 1024, 0.92",
        "B200, 0.27.1, SERVER, 8192, 1024, 0.92",
        "H100, 0.20.2, SERVER, 8192, 1024, 0.90",
        "H100, 0.8.5, SERVER, 8192, 256, 0.90",
        "B200, 0.8.5, SERVER, 2048, 256, 0.90", // not yet known by name
        "RTX PRO 6000, 0.32.0, SERVER, 8192, 1024, 0.92",
        "MI300X, 0.32.0, SERVER, 16384, 1024, 0.92",
        "A100, 0.32.0, SERVER, 2048, 256, 0.92", // large, but an A100
        "RTX A4000, 0.32.0, SERVER, 2048, 256, 0.92",
        "RTX 5090, 0.32.0, SERVER, 2048, 256, 0.92",
        "L40S, 0.32.0, SERVER, 2048, 256, 0.92",
        "H100, 0.32.0, IN_PROCESS, 16384, 1024, 0.92",
        "L4, 0.32.0, IN_PROCESS, 8192, 256, 0.92",
    })
    void defaultsDependOnTheCardAndTheVersion(
            String gpu, String version, Usage usage, int tokens, int sequences, double utilization) {
        assertThat(EngineDefaults.of(Gpus.named(gpu), VllmVersion.parse(version), usage))
                .isEqualTo(new EngineDefaults(tokens, sequences, utilization));
    }

    @Test
    void aCpuHasFewerSequences() {
        assertThat(EngineDefaults.ofCpu(VllmVersion.REFERENCE)).isEqualTo(new EngineDefaults(2048, 128, 0.92));
        assertThat(EngineDefaults.ofCpu(VllmVersion.parse("0.20.0"))).isEqualTo(new EngineDefaults(2048, 128, 0.90));
    }

    @Test
    void throughputModeDoublesBoth() {
        assertThat(EngineDefaults.of(Gpus.named("L4")).forThroughput()).isEqualTo(new EngineDefaults(4096, 512, 0.92));
    }

    @Test
    void neitherNumberIsLargerThanTheOtherAllows() {
        EngineDefaults defaults = new EngineDefaults(2048, 256, 0.92);

        assertThat(defaults.boundedBy(4096)).isEqualTo(defaults);
        assertThat(defaults.boundedBy(4)).isEqualTo(new EngineDefaults(1024, 256, 0.92));
        assertThat(new EngineDefaults(64, 256, 0.92).boundedBy(4096)).isEqualTo(new EngineDefaults(64, 64, 0.92));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "0.32.0, 0.32.0",
        "v0.9, 0.9.0",
        "0.26.1rc1.dev608+g99a10304d, 0.26.1",
        "0.22.1.post1, 0.22.1",
        "' 0.8.5 ', 0.8.5",
    })
    void versionsAreReadAsVllmWritesThem(String text, String version) {
        assertThat(VllmVersion.parse(text)).hasToString(version);
    }

    @Test
    void versionsAreOrderedByNumber() {
        assertThat(VllmVersion.parse("0.9.2")).isLessThan(VllmVersion.parse("0.10.0"));
        assertThat(VllmVersion.parse("0.9.1").atLeast(0, 9, 1)).isTrue();
        assertThat(VllmVersion.parse("0.9.1").atLeast(0, 9, 2)).isFalse();
        assertThatThrownBy(() -> VllmVersion.parse("latest"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("expected numbers as in 0.32.0");
    }
}

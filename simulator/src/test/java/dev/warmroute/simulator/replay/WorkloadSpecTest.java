package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.timing.TimingPresets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WorkloadSpecTest {
    private static String lmWarden() throws IOException {
        try (var in = WorkloadSpec.class.getResourceAsStream("lm-warden.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void thePublishedMachineIsTheOneOfTheTimingPreset() {
        WorkloadSpec spec = WorkloadSpec.named("lm-warden");
        assertThat(spec.timing().law())
                .isEqualTo(TimingPresets.A4000_QWEN3_4B.preset().law());
        assertThat(spec.fleetSpec().engine().usableBlocks()).isEqualTo(2095);
        assertThat(spec.fleetSpec().replicas()).isEqualTo(4);
        // prompts grow from 11.2k to 14.4k tokens
        assertThat(spec.systemTokens() + spec.firstTokens().mean()).isEqualTo(11_163);
        assertThat(spec.turnTokens().mean() + spec.outputTokens().mean()).isEqualTo(649);
    }

    @Test
    void wrongKeysAndValuesAreRefusedWithTheirPath() throws IOException {
        String yaml = lmWarden();
        assertThatThrownBy(() ->
                        WorkloadSpec.parse(yaml.replace("  max_num_seqs", "  max_seqs: 1\n  max_num_seqs"), "x.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("x.yaml: unknown key 'fleet.max_seqs'; known here: ")
                .hasMessageContaining("max_num_seqs");
        assertThatThrownBy(() -> WorkloadSpec.parse(yaml.replace("turns: 6", "turns: 0"), "x.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("turns must be 1 to 10,000, not 0");
        assertThatThrownBy(() -> WorkloadSpec.parse(yaml.replace("[7200, 7500]", "[7500, 7200]"), "x.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("first_tokens")
                .hasMessageContaining("0 <= low <= high");
        assertThatThrownBy(() -> WorkloadSpec.parse(yaml.replace("turns: 6\n", ""), "x.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessage("x.yaml: the key 'turns' is missing");
        assertThatThrownBy(() -> WorkloadSpec.parse("a: [", "x.yaml")).isInstanceOf(UserError.class);
    }

    @Test
    void anUnknownWorkloadSaysWhichThereAre() {
        assertThatThrownBy(() -> WorkloadSpec.named("no-such-thing"))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "there is no workload 'no-such-thing': neither a file nor one of lm-warden, seven-cards, l4-cliff");
    }
}

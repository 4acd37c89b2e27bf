package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fit} against affinity, with its default settings; it never knows which turn is a conversation's last. */
class FitTest {
    private static WhatIfResult compare(WorkloadSpec workload, int sessions, double seconds, int seeds) {
        return WhatIf.run(
                new WhatIfRequest(
                        new Subject.OfWorkload(workload.withSessions(sessions), seconds),
                        workload.fleetSpec(),
                        "given",
                        workload.name(),
                        List.of(new PolicyChoice("warden", Map.of()), new PolicyChoice("fit", Map.of())),
                        seeds,
                        2),
                Progress.NONE);
    }

    private static double ratio(WhatIfResult result, Function<PolicyRow, OptionalDouble> figure) {
        return figure.apply(result.row("fit").orElseThrow()).orElseThrow()
                / figure.apply(result.row("warden").orElseThrow()).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void aboveTheKneeItServesMoreAndFinishesTasksSooner(int sessions) {
        WhatIfResult result = compare(WorkloadSpec.named("lm-warden"), sessions, 600, 10);
        assertThat(ratio(result, PolicyRow::outputTokensPerMin)).as("output").isGreaterThanOrEqualTo(1.2);
        assertThat(ratio(result, PolicyRow::ttftP50S)).as("median first byte").isLessThanOrEqualTo(0.25);
        assertThat(ratio(result, PolicyRow::sessionP50S)).as("median session").isLessThanOrEqualTo(0.85);
        assertThat(ratio(result, PolicyRow::sessionP95S)).as("session p95").isLessThanOrEqualTo(1.0);
        assertThat(ratio(result, PolicyRow::ttftP95S)).as("first byte p95").isLessThanOrEqualTo(1.9);
    }

    @Test
    void belowTheKneeNothingIsWorse() {
        WhatIfResult result = compare(WorkloadSpec.named("lm-warden"), 8, 600, 10);
        assertThat(ratio(result, PolicyRow::outputTokensPerMin)).as("output").isGreaterThanOrEqualTo(0.97);
        assertThat(ratio(result, PolicyRow::hitPct)).as("hits").isGreaterThanOrEqualTo(0.97);
        for (Function<PolicyRow, OptionalDouble> time : List.<Function<PolicyRow, OptionalDouble>>of(
                PolicyRow::ttftP50S, PolicyRow::ttftP95S, PolicyRow::sessionP50S, PolicyRow::sessionP95S)) {
            assertThat(ratio(result, time)).isLessThanOrEqualTo(1.03);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 32})
    void wherePrefillCostsNextToNothingNobodyIsHeld(int sessions) throws URISyntaxException {
        WorkloadSpec cheap = WorkloadSpec.named(
                Path.of(FitTest.class.getResource("cheap-prefill.yaml").toURI()).toString());
        WhatIfResult result = compare(cheap, sessions, 120, 3);
        assertThat(ratio(result, PolicyRow::outputTokensPerMin)).as("output").isGreaterThanOrEqualTo(0.95);
        assertThat(ratio(result, PolicyRow::sessionP95S)).as("session p95").isLessThanOrEqualTo(1.05);
    }
}

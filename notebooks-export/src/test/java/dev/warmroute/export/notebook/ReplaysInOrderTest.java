package dev.warmroute.export.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplaysInOrderTest {
    private static final WorkloadSpec WORKLOAD = WorkloadSpec.named("lm-warden").withSessions(3);

    private static WhatIfRequest request(int threads, String... policies) {
        return new WhatIfRequest(
                new Subject.OfWorkload(WORKLOAD, 5),
                WORKLOAD.fleetSpec(),
                "given",
                "",
                Arrays.stream(policies).map(PolicyChoice::of).toList(),
                3,
                threads);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void firstSeedsOfAllPoliciesThenTheFurtherOnesOfEach(int threads) {
        WhatIfRequest request = request(threads, "warden", "random");
        List<String> told = new ArrayList<>();
        WhatIf.run(
                request, share -> {}, new ReplaysInOrder(request, (policy, seed, outcome) -> told.add(policy + seed)));
        assertThat(told).containsExactly("warden1", "random1", "warden2", "warden3", "random2", "random3");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whatAListenerFailsWithEndsTheComparison(int threads) {
        WhatIfRequest request = request(threads, "warden", "random");
        ReplaysInOrder failing = new ReplaysInOrder(request, (policy, seed, outcome) -> {
            if (policy.equals("random")) {
                throw new UserError("the disk is full");
            }
        });
        assertThatThrownBy(() -> WhatIf.run(request, share -> {}, failing))
                .isInstanceOf(UserError.class)
                .hasMessage("the disk is full");
    }

    @Test
    void aPolicyNamedTwiceIsRefused() {
        WhatIfRequest request = request(1, "warden", "warden");
        assertThatThrownBy(() -> new ReplaysInOrder(request, (policy, seed, outcome) -> {}))
                .hasMessageContaining("names warden twice");
    }
}

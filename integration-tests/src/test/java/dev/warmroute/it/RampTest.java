package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.load.AgentLoadOptions;
import dev.warmroute.simulator.load.Ramp;
import dev.warmroute.simulator.load.RampRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published benchmark in small: steps of sessions, arms whose policy is changed while the router runs. */
class RampTest {
    private static final PolicyChoice HOLDING =
            new PolicyChoice("fit", Map.of("places", "1", "worth", "0", "release_s", "0.02", "gap_quantile", "0"));

    @TempDir
    private Path directory;

    @Test
    void oneThatIsStoppedKeepsItsRowsAndPutsThePolicyBack() {
        try (Machine machine = new Machine(directory);
                LiveRouter router = machine.router("warden", 100_000)) {
            AgentLoadOptions load = AgentLoadOptions.defaults()
                    .withEndpoint("http://127.0.0.1:" + router.server().port())
                    .withShape(200, 300, 50, 4, 20)
                    .withTime(60, 200);
            List<RampRow> told = new ArrayList<>();
            Ramp ramp = new Ramp(load, List.of(2, 4, 8), List.of(PolicyChoice.of("random"), HOLDING));
            List<RampRow> rows = ramp.run(
                    "http://127.0.0.1:" + router.server().adminPort(),
                    Machine.TOKEN,
                    (n, arm, answered) -> {
                        if (n == 4) {
                            ramp.stop();
                        }
                    },
                    told::add);
            assertThat(rows).extracting(RampRow::sessions).containsExactly(2, 2);
            assertThat(told).isEqualTo(rows);
            assertThat(router.server().status().models().get(0).policy().name()).isEqualTo("warden");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(ramp.run(
                            "http://127.0.0.1:" + router.server().adminPort(),
                            Machine.TOKEN,
                            (n, arm, a) -> {},
                            told::add))
                    .as("stopped before it began")
                    .isEmpty();
            assertThat(router.server().status().models().get(0).policy().name()).isEqualTo("warden");
        }
    }

    @Test
    void armsTakeTurnsRequestsAreHeldAndTheRecordingIsProven() {
        List<RampRow> rows;
        List<RampRow> told = new ArrayList<>();
        Recording recording;
        try (Machine machine = new Machine(directory)) {
            try (LiveRouter router = machine.router("warden", 100_000)) {
                AgentLoadOptions load = AgentLoadOptions.defaults()
                        .withEndpoint("http://127.0.0.1:" + router.server().port())
                        .withShape(200, 300, 50, 4, 20)
                        .withTime(120, 200);
                rows = new Ramp(
                                load,
                                List.of(4, 12),
                                List.of(PolicyChoice.of("random"), PolicyChoice.of("warden"), HOLDING))
                        .run(
                                "http://127.0.0.1:" + router.server().adminPort(),
                                Machine.TOKEN,
                                (n, arm, answered) -> {},
                                told::add);
                assertThat(router.server().status().models().get(0).policy().name())
                        .as("put back")
                        .isEqualTo("warden");
            }
            recording = machine.record(directory.resolve("trace"));
        }
        assertThat(rows).hasSize(6).isEqualTo(told);
        assertThat(rows).allSatisfy(r -> {
            assertThat(r.failures()).isZero();
            assertThat(r.outputTokensPerMin()).isPositive();
            assertThat(r.prefixHitPct()).isPresent();
            assertThat(r.ttfbP95S().orElseThrow())
                    .isGreaterThanOrEqualTo(r.ttfbP50S().orElseThrow());
        });
        assertThat(rows).extracting(RampRow::sessions).containsExactly(4, 4, 4, 12, 12, 12);
        assertThat(rows.get(3).stayedPct()).as("random keeps no homes").isEmpty();
        assertThat(rows.get(4).stayedPct()).isPresent();
        assertThat(rows.get(4).mostHeld()).isZero();
        assertThat(rows.get(5).mostHeld()).as("twelve sessions and four places").isPositive();
        assertThat(RampRow.csv(rows).lines())
                .hasSize(7)
                .first()
                .asString()
                .startsWith("sessions,arm,sessions_per_hour,");

        Verification proof = TraceVerifier.verify(recording);
        assertThat(proof.differences()).isEmpty();
        assertThat(proof.ok()).isTrue();
        assertThat(proof.decisions())
                .as("a held request has two decisions")
                .isGreaterThan(rows.stream().mapToLong(RampRow::requests).sum());
    }
}

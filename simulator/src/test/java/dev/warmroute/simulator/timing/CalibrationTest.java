package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
    private static final int BUDGET = 2048;
    private static final AffineLaw LAW = AffineLaw.ofSeconds(0.008, 60e-6, 3e-9, 50e-9, 0.4e-3);
    private static final FrontendDelay FRONTEND = FrontendDelay.ofMillis(12, 0);

    /** Simulated replicas of a known law, as a recording would show them. */
    private static List<ServedRequest> served(int run, int sessions, SharedHost host, double pace) {
        WorkloadSpec workload = WorkloadSpec.named("lm-warden").withSessions(sessions);
        FleetSpec described = workload.fleetSpec();
        FleetSpec fleet = new FleetSpec(
                4,
                described.engine().withMaxNumBatchedTokens(BUDGET),
                LAW.times(pace),
                new FrontendDelay(Math.round(FRONTEND.requestNanos() * pace), 0),
                host,
                0,
                FleetSpec.SCRAPE_NANOS);
        Outcome outcome = FleetReplay.run(
                new WorkloadLoad(workload, new Seeds(run)),
                fleet,
                Policies.create("random", Map.of(), 32),
                new Seeds(run),
                240_000_000_000L,
                Progress.NONE);
        RequestLog log = outcome.requests();
        List<ServedRequest> served = new ArrayList<>();
        for (int r = 0; r < log.size(); r++) {
            if (log.hasEnded(r)) {
                served.add(new ServedRequest(
                        run,
                        log.replica(r),
                        log.sent(r),
                        log.first(r),
                        log.end(r),
                        log.promptTokens(r),
                        log.cachedTokens(r),
                        log.produced(r)));
            }
        }
        return served;
    }

    private static void assertAgrees(TimingProfile profile) {
        StepTimeLaw learnt = profile.preset().law();
        assertThat((double) learnt.stepNanos(0, 0, 2, 20_000)).isEqualTo(LAW.stepNanos(0, 0, 2, 20_000), within(0.5e6));
        double attention = StepTimeLaw.chunkAttention(BUDGET, 4000);
        assertThat((double) learnt.stepNanos(BUDGET, attention, 1, 10_000))
                .isEqualTo(LAW.stepNanos(BUDGET, attention, 1, 10_000), within(10e6));
        assertThat(profile.frontendRequestMs()).isEqualTo(12, within(3.0));
    }

    @Test
    void theLawOfSimulatedReplicasIsFoundAgain() {
        List<ServedRequest> served = served(0, 8, SharedHost.NONE, 1);
        TimingProfile profile = Calibration.fit("known", served, List.of("run"), BUDGET);
        assertAgrees(profile);
        assertThat(profile.sharedHostSlowdown()).isZero();
        assertThat(profile.decode().medianAbsolutePct()).isLessThan(3);
        assertThat(profile.firstToken().medianAbsolutePct()).isLessThan(3);
        assertThat(profile.decode().times()).isGreaterThan(200);
    }

    @Test
    void aSharedMachineAndThePaceOfEachRunAreFoundAgain() {
        List<ServedRequest> served = new ArrayList<>(served(0, 3, new SharedHost(0.5), 1));
        served.addAll(served(1, 3, new SharedHost(0.5), 1.3));
        served.addAll(served(2, 8, new SharedHost(0.5), 1.3));
        served.addAll(served(3, 8, new SharedHost(0.5), 1));
        TimingProfile profile =
                Calibration.fit("known", served, List.of("few", "few, slow", "many, slow", "many"), BUDGET);
        assertThat(profile.sharedHostSlowdown()).isEqualTo(0.5, within(0.1));
        assertThat(profile.pace().get("few, slow") / profile.pace().get("few")).isEqualTo(1.3, within(0.1));
        assertThat(profile.pace().get("many, slow") / profile.pace().get("many"))
                .isEqualTo(1.3, within(0.1));
    }

    @Test
    void whatTheRunsDoNotVaryIsNotCalledIdentified() {
        List<ServedRequest> served = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            long at = i * 10_000_000_000L; // always alone, always the same
            served.add(new ServedRequest(0, 0, at, at + 100_000_000, at + 500_000_000, 1000, 0, 41));
        }
        TimingProfile profile = Calibration.fit("alike", served, List.of("run"), BUDGET);
        assertThat(profile.terms().stream()
                        .filter(TimingProfile.Term::identified)
                        .count())
                .isLessThan(4);
        assertThat((double) profile.preset().law().stepNanos(0, 0, 1, 1020)).isEqualTo(10e6, within(0.2e6));
    }

    @Test
    void aProfileIsReadAsItWasWritten(@TempDir Path folder) {
        TimingProfile profile = Calibration.fit("known", served(0, 4, SharedHost.NONE, 1), List.of("run"), BUDGET);
        Path file = folder.resolve("timing.json");
        profile.write(file);
        assertThat(TimingProfile.read(file)).isEqualTo(profile);
    }

    @Test
    void aFileThatIsNoProfileIsRefusedWithTheKey(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("timing.json");
        Files.writeString(file, "{\"name\": \"x\"}");
        assertThatThrownBy(() -> TimingProfile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("key 'learnt_from': is missing");
        Files.writeString(file, "no json");
        assertThatThrownBy(() -> TimingProfile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not JSON");
    }

    @Test
    void tooFewRequestsAreRefused() {
        assertThatThrownBy(() -> Calibration.fit("few", List.of(), List.of(), BUDGET))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("too few");
    }
}

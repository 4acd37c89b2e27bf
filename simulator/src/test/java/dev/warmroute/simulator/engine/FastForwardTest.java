package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FastForwardTest {
    @Property(tries = 1000)
    void takingManyDecodeStepsAtOnceChangesNothing(@ForAll long seed) {
        Workload workload = Workload.of(seed, false);
        List<String> single = new WorkloadRun(workload, true, false).run(WorkloadRun.Driving.ARRIVALS);

        for (WorkloadRun.Driving driving : WorkloadRun.Driving.values()) {
            assertThat(new WorkloadRun(workload, true, true).run(driving))
                    .as("%s %s", driving, workload)
                    .isEqualTo(single);
        }
    }

    @Property(tries = 1000)
    void extentsDoWhatBlocksDo(@ForAll long seed) {
        Workload workload = Workload.of(seed, false);

        assertThat(new WorkloadRun(workload, true, false).run(WorkloadRun.Driving.ARRIVALS))
                .as("%s", workload)
                .isEqualTo(new WorkloadRun(workload, false, false).run(WorkloadRun.Driving.ARRIVALS));
    }

    @Property(tries = 500)
    void takingManyDecodeStepsAtOnceChangesNothingForHybrids(@ForAll long seed) {
        Workload workload = Workload.of(seed, true);
        List<String> single = new WorkloadRun(workload, false, false).run(WorkloadRun.Driving.ARRIVALS);

        for (WorkloadRun.Driving driving : WorkloadRun.Driving.values()) {
            assertThat(new WorkloadRun(workload, false, true).run(driving))
                    .as("%s %s", driving, workload)
                    .isEqualTo(single);
        }
    }
}

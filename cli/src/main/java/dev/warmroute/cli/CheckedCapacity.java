package dev.warmroute.cli;

import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Progress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The capacity analysis behind the assertion {@code fits}: on the check's fleet, under the check's policy. */
final class CheckedCapacity {
    private CheckedCapacity() {}

    static CapacityResult of(WhatIfQuestion replay, PolicyChoice policy, OptionalInt sessions, Progress progress) {
        TraceSource.Trace trace = replay.read()
                .orElseThrow(
                        () -> new UserError("'fits' asks about the sessions of a trace: leave it out for a workload"));
        if (trace.description().prefixes() == Prefixes.NONE) {
            throw new UserError("'fits' asks how much of the prompts is said again, and nothing is known of that in "
                    + trace.description().name() + ": leave it out");
        }
        FleetOptions.Chosen chosen = replay.chosen();
        if (chosen.cache().isEmpty()) {
            throw new UserError(
                    "'fits' needs the cache that the sessions are to fit: give --usable-blocks, or --model and --gpu");
        }
        EngineConfig engine = chosen.fleet().engine();
        CapacityRequest.Check defaults = CapacityRequest.Check.defaults();
        CapacityRequest.Check check = new CapacityRequest.Check(
                policy,
                chosen.preset(),
                engine.maxNumSeqs(),
                engine.maxNumBatchedTokens(),
                defaults.seconds(),
                replay.request().seeds(),
                replay.request().threads(),
                engine.hostMemory());
        CapacityRequest request =
                new CapacityRequest(engine.blockSize(), List.of(), chosen.cache(), sessions, Optional.of(check));
        try (TraceReader reader = new TraceInMemory(trace)) {
            return CapacityAnalysis.ofTrace(reader, request, progress);
        }
    }
}

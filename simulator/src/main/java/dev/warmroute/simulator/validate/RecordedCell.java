package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.GuidedFleet;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.timing.ServedRequest;
import dev.warmroute.simulator.timing.TimingPreset;
import java.util.List;

/**
 * A cell replayed with the recorded assignments and times: what is predicted is the cache.
 *
 * @param exact requests with exactly the engine's cached tokens
 * @param cachedTokens cached tokens of all requests
 * @param figures hits and time to the first byte as replayed; the output is as it was, since the times are
 */
record RecordedCell(int exact, long cachedTokens, CellFigures figures) {
    private static final double SECOND = 1e9;

    static RecordedCell replay(FleetCell cell, EngineConfig engine, TimingPreset timing) {
        List<ServedRequest> served = cell.served(0);
        List<Turn> turns = cell.turns();
        GuidedFleet.Result result =
                GuidedFleet.run(FleetSpec.of(cell.recording().config().replicas(), engine, timing), turns, served);
        long prompt = 0;
        long cached = 0;
        int exact = 0;
        double[] first = new double[served.size()];
        for (int i = 0; i < served.size(); i++) {
            prompt += served.get(i).promptTokens();
            cached += result.cachedTokens()[i];
            exact += result.cachedTokens()[i] == served.get(i).cachedTokens() ? 1 : 0;
            first[i] = (result.firstNanos()[i] - turns.get(i).arrivalNanos()) / SECOND;
        }
        return new RecordedCell(
                exact,
                cached,
                new CellFigures(
                        100.0 * cached / prompt,
                        cell.outputPerMinute(),
                        Quantiles.of(first).at(0.5).orElse(0)));
    }
}

package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.timing.ServedRequest;
import dev.warmroute.simulator.timing.TimingPreset;
import java.util.ArrayList;
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
        long prompt = 0;
        long cached = 0;
        int exact = 0;
        double[] first = new double[served.size()];
        int n = 0;
        for (int replica = 0; replica < cell.recording().config().replicas(); replica++) {
            List<Turn> turns = new ArrayList<>();
            List<ServedRequest> times = new ArrayList<>();
            for (int i = 0; i < served.size(); i++) {
                if (served.get(i).replica() == replica) {
                    turns.add(cell.turns().get(i));
                    times.add(served.get(i));
                }
            }
            int here = replica;
            GuidedReplay.Result result = GuidedReplay.run(
                    engine, timing, at -> timing.host().factor(1 + busyOthers(served, here, at)), turns, times);
            for (int i = 0; i < turns.size(); i++) {
                prompt += times.get(i).promptTokens();
                cached += result.cachedTokens()[i];
                exact += result.cachedTokens()[i] == times.get(i).cachedTokens() ? 1 : 0;
                first[n++] = (result.firstNanos()[i] - turns.get(i).arrivalNanos()) / SECOND;
            }
        }
        return new RecordedCell(
                exact,
                cached,
                new CellFigures(100.0 * cached / prompt, cell.outputPerMinute(), Quantiles.of(first).at(0.5).orElse(0)));
    }

    /** Other replicas with a request at a moment. */
    private static long busyOthers(List<ServedRequest> served, int replica, long at) {
        return served.stream()
                .takeWhile(r -> r.sentNanos() <= at)
                .filter(r -> r.lastNanos() > at && r.replica() != replica)
                .mapToInt(ServedRequest::replica)
                .distinct()
                .count();
    }
}

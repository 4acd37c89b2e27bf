package dev.warmroute.simulator.replica;

import dev.warmroute.simulator.engine.Batch;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineListener;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The generations that the engine holds, by handle. Hears the engine, brings tokens to the generations and to the metrics,
 * and tells the clients once a step is counted, so that who has an answer finds it counted. Belongs to the engine's thread.
 */
final class LiveGenerations implements EngineListener {
    private final ReplicaMetrics metrics;
    private final Int2ObjectOpenHashMap<Generation> live = new Int2ObjectOpenHashMap<>();
    private final List<Generation> finished = new ArrayList<>();
    private final List<Generation> progressed = new ArrayList<>();
    private Engine engine;
    private int stepTokens;

    LiveGenerations(ReplicaMetrics metrics) {
        this.metrics = metrics;
    }

    /** Must be called before the engine is used. */
    void of(Engine heard) {
        this.engine = heard;
    }

    void put(int handle, Generation g) {
        g.handle = handle;
        live.put(handle, g);
    }

    /** Takes out a generation that ends early; false if the engine does not hold it. */
    boolean remove(Generation g) {
        return g.handle >= 0 && live.remove(g.handle, g);
    }

    /** Takes out all. */
    List<Generation> removeAll() {
        List<Generation> all = List.copyOf(live.values());
        live.clear();
        return all;
    }

    @Override
    public void admitted(int request, int cachedTokens, boolean resumed) {
        Generation g = live.get(request);
        if (g != null && !resumed) {
            g.admitted(cachedTokens, System.nanoTime());
            metrics.admitted(cachedTokens);
        }
    }

    @Override
    public void finished(int request, int outputTokens) {
        Generation g = live.remove(request);
        if (g != null) {
            deliver(g, outputTokens, System.nanoTime());
            metrics.finished(g, g.preemptionsShown);
            finished.add(g);
        }
    }

    /** Takes in the outputs of a batch that was just settled, and returns the generations that ended with it. */
    List<Generation> settled(Batch batch) {
        long now = System.nanoTime();
        for (int i = 0; i < batch.size(); i++) {
            Generation g = batch.samples(i) ? live.get(batch.request(i)) : null;
            if (g != null) {
                deliver(g, engine.outputTokens(batch.request(i)), now);
            }
        }
        metrics.iteration(stepTokens);
        metrics.engineState(engine);
        stepTokens = 0;
        List<Generation> ended = finished.isEmpty() ? List.of() : List.copyOf(finished);
        finished.clear();
        return ended;
    }

    /** Tells everybody whose tokens came since the last time. */
    void tell() {
        progressed.forEach(g -> g.listener().progressed());
        progressed.clear();
    }

    /** Brings a generation to {@code total} output tokens. */
    private void deliver(Generation g, int total, long now) {
        int more = total - g.produced();
        if (more <= 0) {
            return;
        }
        boolean first = g.produced() == 0;
        long since = now - g.lastTokenNanos();
        g.tokensOut(total, now);
        if (first) {
            metrics.firstToken(g);
            stepTokens += g.request().promptTokens() - g.cachedTokens();
        }
        stepTokens += more;
        metrics.tokens(more, first, since);
        int preemptions = engine.preemptions(g.handle);
        if (preemptions > g.preemptionsShown) {
            metrics.preempted(preemptions - g.preemptionsShown);
            g.preemptionsShown = preemptions;
        }
        progressed.add(g);
    }
}

package dev.warmroute.simulator.engine;

import dev.warmroute.simulator.kv.KvLayout;
import java.util.List;

/** The groups of a capacity model as the engine's. */
public final class EngineGroups {
    private EngineGroups() {}

    /** Returns the groups that draw from one pool, in the layout's order. */
    public static List<KvGroup> of(KvLayout layout) {
        return layout.groups().stream().map(EngineGroups::group).toList();
    }

    private static KvGroup group(dev.warmroute.simulator.kv.KvGroup group) {
        return switch (group) {
            case dev.warmroute.simulator.kv.KvGroup.Full full -> new KvGroup.Full();
            case dev.warmroute.simulator.kv.KvGroup.SlidingWindow sliding ->
                new KvGroup.SlidingWindow(sliding.window());
            case dev.warmroute.simulator.kv.KvGroup.State state -> new KvGroup.GatedDelta();
        };
    }
}

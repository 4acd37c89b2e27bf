package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.WarmStart;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.BitSet;

/**
 * What one replay says about warm prompts: of every request that was answered, its tokens found and its time to first token. Much
 * smaller than the replay.
 */
final class WarmSample {
    private final Int2IntOpenHashMap position = new Int2IntOpenHashMap(); // by the request's index in its trace
    private final IntArrayList cached = new IntArrayList();
    private final IntArrayList prompt = new IntArrayList();
    private final LongArrayList ttft = new LongArrayList();
    private final BitSet firstTurns = new BitSet();
    private final WarmStart.Cost cost;

    private WarmSample(WarmStart.Cost cost) {
        this.cost = cost;
        position.defaultReturnValue(-1);
    }

    static WarmSample of(Outcome outcome) {
        WarmSample sample = new WarmSample(outcome.warmed());
        RequestLog log = outcome.requests();
        IntOpenHashSet begun = new IntOpenHashSet();
        for (int r = 0; r < log.size(); r++) {
            int conversation = log.conversation(r);
            boolean first = conversation < 0 || begun.add(conversation);
            if (log.wasSent(r) && log.hasFirst(r) && log.wasAdmitted(r)) {
                sample.firstTurns.set(sample.cached.size(), first);
                sample.position.put(log.index(r), sample.cached.size());
                sample.cached.add(log.cachedTokens(r));
                sample.prompt.add(log.promptTokens(r));
                sample.ttft.add(log.first(r) - log.sent(r));
            }
        }
        return sample;
    }

    WarmStart.Cost cost() {
        return cost;
    }

    int requests() {
        return cached.size();
    }

    boolean first(int i) {
        return firstTurns.get(i);
    }

    int cached(int i) {
        return cached.getInt(i);
    }

    int prompt(int i) {
        return prompt.getInt(i);
    }

    double ttftSeconds(int i) {
        return ttft.getLong(i) * 1e-9;
    }

    /** Takes a request that was answered in both of two replays. */
    interface Pairs {
        /** @param before its position in the other sample */
        void pair(int here, int before);
    }

    /** Every request of this sample that the other one has as well. */
    void with(WarmSample other, Pairs pairs) {
        position.int2IntEntrySet().fastForEach(e -> {
            int before = other.position.get(e.getIntKey());
            if (before >= 0) {
                pairs.pair(e.getIntValue(), before);
            }
        });
    }
}

package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import dev.warmroute.simulator.capacity.RuleLedger.Machine;
import dev.warmroute.simulator.capacity.RuleLedger.Replica;
import dev.warmroute.simulator.kv.KvGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rule <em>sessions x context must fit the cache</em>, in its exact forms. With C the cache of a replica, S the shared
 * prefix, w a session's private context (all in whole blocks, answers included) and n_r the sessions at home on replica r:
 *
 * <pre>
 * machine   U   = (N w + R S) / (R C)
 * replica   U_r = (n_r w + S) / C
 * sessions that fit                N* = R floor((C - S) / w)
 * if the replicas were one cache        floor(R (C - S) / w)
 * </pre>
 *
 * The shared prefix is held once a replica; only its full blocks are shared, and a session's last block counts whole. For
 * a hybrid model the blocks of all groups count: a sliding window's last ones, and one state of each recurrent group. Each
 * form is computed for mean contexts and for their 95th percentile. Verdict on the fullest replica: <em>fits</em> when
 * U_r(p95) is at most 0.85, <em>does not fit</em> when U_r(mean) is above 1, <em>edge</em> between. With sliding windows a replica
 * has to have room besides for the blocks that a long prompt takes and gives back while it is computed.
 */
public final class Rule {
    /** Utilisation with 95th percentile contexts up to which a fleet fits. */
    public static final double FITS_UP_TO = 0.85;

    private final Demand demand;
    private final CacheSize cache;
    private final int[] placement;
    private final long sharedBlocks;
    private final long privateBlocksMean;
    private final long privateBlocksP95;

    private Rule(Demand demand, CacheSize cache, int[] placement) {
        this.demand = demand;
        this.cache = cache;
        this.placement = placement;
        this.sharedBlocks = cache.layout().blocksForReuse(demand.sharedTokens());
        this.privateBlocksMean = privateBlocks(demand.contextMeanTokens() + demand.outputMeanTokens());
        this.privateBlocksP95 = privateBlocks(demand.contextP95Tokens() + demand.outputP95Tokens());
    }

    /** The rule for sessions that are spread evenly. */
    public static Rule even(Demand demand, CacheSize cache) {
        int[] placement = new int[cache.replicas()];
        for (int r = 0; r < placement.length; r++) {
            placement[r] = demand.sessions() / placement.length + (r < demand.sessions() % placement.length ? 1 : 0);
        }
        return new Rule(demand, cache, placement);
    }

    /**
     * The rule for sessions that are where they are.
     *
     * @param sessionsPerReplica sessions at home on each replica; they replace the number in the demand
     */
    public static Rule placed(Demand demand, CacheSize cache, int[] sessionsPerReplica) {
        if (sessionsPerReplica.length != cache.replicas()) {
            throw new IllegalArgumentException(
                    "placement on " + sessionsPerReplica.length + " of " + cache.replicas() + " replicas");
        }
        return new Rule(
                demand.withSessions(Arrays.stream(sessionsPerReplica).sum()), cache, sessionsPerReplica.clone());
    }

    Demand demand() {
        return demand;
    }

    /** Tokens of all caches together. */
    long capacityTokens() {
        return cache.replicas() * cache.tokens();
    }

    public RuleLedger ledger() {
        List<Replica> replicas = new ArrayList<>();
        for (int r = 0; r < placement.length; r++) {
            long mean = demandBlocks(placement[r], privateBlocksMean);
            long p95 = demandBlocks(placement[r], privateBlocksP95);
            replicas.add(new Replica(
                    "r" + r,
                    placement[r],
                    cache.tokens(),
                    tokens(mean),
                    tokens(p95),
                    (double) mean / cache.usableBlocks(),
                    (double) p95 / cache.usableBlocks(),
                    room(privateBlocksMean),
                    room(privateBlocksP95),
                    tokens(cache.usableBlocks() - mean)));
        }
        return new RuleLedger(machine(), replicas);
    }

    public Verdict verdict() {
        if (demandBlocks(most(), privateBlocksMean) > cache.usableBlocks()) {
            return Verdict.DOES_NOT_FIT;
        }
        boolean room = demandBlocks(most(), privateBlocksP95) <= FITS_UP_TO * cache.usableBlocks();
        return room && !overwrittenByColdPrompt() ? Verdict.FITS : Verdict.EDGE;
    }

    /** Blocks that pass through the pool, and do not stay, while a long prompt is computed from its beginning. */
    long passingBlocks() {
        long context = Math.round(demand.contextP95Tokens());
        return Math.max(
                0, cache.layout().blocksPassed(context) - Math.ceilDiv(context, cache.blockSize()) * fullGroups());
    }

    /** Whether one long prompt, computed from its beginning, overwrites what others keep idle on the fullest replica. */
    boolean overwrittenByColdPrompt() {
        return cache.layout().isHybrid()
                && demandBlocks(most(), privateBlocksP95) + passingBlocks() > cache.usableBlocks();
    }

    /**
     * Sessions that fit when spread evenly: with contexts at their 95th percentile and the least the cache may be, and with
     * mean contexts and the most.
     */
    public SessionsFit sessionsFit() {
        return new SessionsFit(
                cache.replicas() * room(cache.lowBlocks(), privateBlocksP95),
                cache.replicas() * room(cache.highBlocks(), privateBlocksMean));
    }

    /**
     * What binds first according to the rule alone: {@link Limit#PLACEMENT} when the sessions would fit spread evenly but
     * not where they are, else {@link Limit#CACHE}.
     */
    public Limit limit() {
        return verdict() == Verdict.DOES_NOT_FIT && even(demand, cache).verdict() != Verdict.DOES_NOT_FIT
                ? Limit.PLACEMENT
                : Limit.CACHE;
    }

    /** Share of the fullest replica's cache that its sessions take with mean contexts. */
    double utilisation() {
        return (double) demandBlocks(most(), privateBlocksMean) / cache.usableBlocks();
    }

    /** Sessions on the fullest replica. */
    int most() {
        return Arrays.stream(placement).max().orElse(0);
    }

    /** Whether some replica has more sessions than spreading them evenly gives any. */
    boolean uneven() {
        return most() > Math.ceilDiv(demand.sessions(), cache.replicas());
    }

    /** Sessions of mean context that fit when they are spread in the proportions in which they are. */
    int sessionsFitWhereTheyAre() {
        return most() == 0 ? 0 : (int) ((long) demand.sessions() * room(privateBlocksMean) / most());
    }

    private Machine machine() {
        long capacity = (long) cache.replicas() * cache.usableBlocks();
        long mean = machineBlocks(privateBlocksMean);
        long p95 = machineBlocks(privateBlocksP95);
        double contextMean = demand.contextMeanTokens() + demand.outputMeanTokens();
        return new Machine(
                demand.sessions(),
                cache.replicas(),
                capacity * cache.blockSize(),
                demand.sharedTokens(),
                contextMean,
                demand.contextP95Tokens() + demand.outputP95Tokens(),
                (double) mean / capacity,
                (double) p95 / capacity,
                exactRoom(privateBlocksMean),
                exactRoom(privateBlocksP95),
                capacity * cache.blockSize() / contextMean,
                pooled(privateBlocksMean),
                pooled(privateBlocksP95),
                cache.replicas() * room(privateBlocksMean),
                cache.replicas() * room(privateBlocksP95),
                tokens(capacity - mean));
    }

    private long privateBlocks(double context) {
        long whole = (long) Math.ceil(context / cache.blockSize()) * cache.blockSize();
        return Math.max(1, cache.layout().blocksForReuse(whole) - fullSharedBlocks());
    }

    /** Blocks of the shared prefix that a session does not hold again: those of full attention. */
    private long fullSharedBlocks() {
        return fullGroups() * (demand.sharedTokens() / cache.blockSize());
    }

    private long fullGroups() {
        return cache.layout().groups().stream()
                .filter(g -> g instanceof KvGroup.Full)
                .count();
    }

    private long demandBlocks(int sessions, long privateBlocks) {
        return sessions == 0 ? 0 : sharedBlocks + sessions * privateBlocks;
    }

    private long machineBlocks(long privateBlocks) {
        return cache.replicas() * sharedBlocks + demand.sessions() * privateBlocks;
    }

    private double exactRoom(int blocks, long privateBlocks) {
        return Math.max(0, (double) (blocks - sharedBlocks) / privateBlocks);
    }

    private double exactRoom(long privateBlocks) {
        return exactRoom(cache.usableBlocks(), privateBlocks);
    }

    private int room(int blocks, long privateBlocks) {
        return (int) exactRoom(blocks, privateBlocks);
    }

    private int room(long privateBlocks) {
        return room(cache.usableBlocks(), privateBlocks);
    }

    private int pooled(long privateBlocks) {
        return (int) (cache.replicas() * Math.max(0, cache.usableBlocks() - sharedBlocks) / privateBlocks);
    }

    private long tokens(long blocks) {
        return blocks * cache.blockSize();
    }
}

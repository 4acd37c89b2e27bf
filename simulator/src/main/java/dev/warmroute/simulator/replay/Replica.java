package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.engine.TimedEngine;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * One simulated replica of a {@link FleetReplay}: its engine, whose handles it translates into request numbers. A restart gives
 * it another engine.
 */
final class Replica implements EngineListener {
    /** In place of a request's number: a prompt of the {@link WarmStart}. */
    private static final int WARMING = -2;

    private final int number;
    private final EngineConfig config;
    private final ChainInterner chains;
    private final RequestLog log;
    private final MissLedger misses;
    private final boolean evicts;
    private final WarmUp warmUp;
    private StepTimeLaw law;
    private Engine engine;
    private TimedEngine timed;

    /** Earliest moment at which it may have something to tell; {@link TimedEngine#NEVER} when idle. */
    long next = TimedEngine.NEVER;

    // By handle of the engine.
    private int[] requestOf = new int[64];
    private Turn[] turnOf = new Turn[64];
    private int[] cachedAtArrival = new int[64];
    private int handles;
    private int[] finished = new int[16];
    private int finishedCount;
    private int[] begun = new int[16];
    private int begunCount;
    private long downNanos;

    private int inFlight;
    private long busySince;
    private long busyNanos;

    Replica(int number, FleetSpec fleet, ChainInterner chains, RequestLog log, MissLedger misses) {
        this.number = number;
        this.config = fleet.engine();
        this.chains = chains;
        this.log = log;
        this.misses = misses;
        this.evicts = !config.unlimited();
        this.law = fleet.law();
        this.warmUp = new WarmUp(fleet.warmStart());
        Arrays.fill(requestOf, RequestLog.NOT_YET);
        start();
    }

    private void start() {
        engine = new Engine(config, chains, this);
        timed = new TimedEngine(engine, law);
    }

    /** Whether it has nothing to do and nothing on the way. */
    boolean idle() {
        return inFlight == 0 && !warmUp.underWay();
    }

    /** Begins to compute the prompts that it is to know. */
    void warmUp(long now) {
        warmUp.begin();
        warmFurther(now);
        next = timed.next();
    }

    private void warmFurther(long now) {
        while (warmUp.wants()) {
            Prompt prompt = warmUp.next();
            if (engine.fits(prompt.tokens(), 1)) {
                int handle = timed.add(now, prompt, 1, Turn.OUTPUT_SPACE);
                makeRoom(handle);
                requestOf[handle] = WARMING;
                warmUp.computes(prompt.tokens(), prompt.tokens() / config.blockSize() * config.blockSize());
            } else {
                warmUp.skip();
            }
        }
    }

    /** What its warm prompts took, and how much of them is cached now. */
    WarmStart.Cost warmed() {
        return warmUp.cost(
                warmUp.start().prompts().stream().mapToLong(this::kept).sum());
    }

    /** Of a prompt with something behind it, since the last token of a prompt is always computed. */
    private int kept(Prompt prompt) {
        return engine.cachedPrefix(
                Prompt.builder().all(prompt).span(Turn.OUTPUT_SPACE, 1).build());
    }

    /** The router sends it a request. */
    void starts(long now) {
        if (inFlight++ == 0) {
            busySince = now;
        }
    }

    /** The router has the last byte of a request. */
    void ends(long now) {
        if (--inFlight == 0) {
            busyNanos += now - busySince;
        }
    }

    /** Its steps take another time from now on. */
    void pace(long now, StepTimeLaw changed) {
        law = changed;
        timed.advance(now);
        timed.law(changed);
        next = timed.next();
    }

    /** What a scrape at this moment reads. */
    Signals read(long now) {
        timed.advance(now);
        next = timed.next();
        return new Signals(engine.running(), engine.waiting(), engine.usage(), 0);
    }

    /** Says what it holds, as of the last {@link #read}. */
    void tell(ReplicaSamples samples) {
        samples.read(number, engine.usedBlocks(), engine.cachedBlocks());
    }

    /** Prompt tokens of a request that are cached at a moment. */
    int cachedTokens(long now, Turn turn) {
        timed.advance(now);
        next = timed.next();
        return engine.cachedPrefix(turn.prompt());
    }

    /**
     * Its engine starts again at this moment: what was cached is lost, on the card and in host memory, and so is what its requests
     * had computed. They come again at once, from their beginning, in the order in which they were sent; what was heard of them
     * before (hits, misses, first byte) stays as it was.
     */
    void restart(long now) {
        timed.advance(now);
        int[] requests = requestOf;
        Turn[] turns = turnOf;
        int[] cutOff = IntStream.range(0, handles)
                .filter(h -> requests[h] >= 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(h -> log.sent(requests[h]))
                        .thenComparingInt(h -> requests[h]))
                .mapToInt(Integer::intValue)
                .toArray();
        requestOf = new int[requests.length];
        Arrays.fill(requestOf, RequestLog.NOT_YET);
        turnOf = new Turn[turns.length];
        handles = 0;
        start();
        misses.restarted(number);
        warmUp.begin();
        warmFurther(now);
        for (int h : cutOff) {
            if (!log.wasAdmitted(requests[h])) {
                log.loaded(requests[h], 0);
            }
            put(now, requests[h], turns[h]);
        }
        next = timed.next();
    }

    /** Puts a request into the engine's queue; false if it can never be served there. */
    boolean add(long now, int request, Turn turn) {
        if (!engine.fits(turn.prompt().tokens(), turn.outputTokens())) {
            return false;
        }
        put(now, request, turn);
        next = timed.next();
        return true;
    }

    private void put(long now, int request, Turn turn) {
        int handle = timed.add(now, turn.prompt(), turn.outputTokens(), turn.outputStart());
        makeRoom(handle);
        requestOf[handle] = request;
        turnOf[handle] = turn;
        // Without a limit nothing is ever overwritten, and what was there at arrival says nothing.
        cachedAtArrival[handle] = evicts ? engine.cachedPrefix(handle) : 0;
    }

    private void makeRoom(int handle) {
        if (handle >= requestOf.length) {
            int old = requestOf.length;
            int n = Math.max(handle + 1, old * 2);
            requestOf = Arrays.copyOf(requestOf, n);
            Arrays.fill(requestOf, old, n, RequestLog.NOT_YET);
            turnOf = Arrays.copyOf(turnOf, n);
            cachedAtArrival = Arrays.copyOf(cachedAtArrival, n);
        }
        handles = Math.max(handles, handle + 1);
    }

    /** Does what is due now; what began to be answered is in {@link #begun}, the requests that ended in {@link #finished}. */
    void act(long now, long down) {
        downNanos = down;
        finishedCount = 0;
        begunCount = 0;
        timed.act(now);
        warmFurther(now);
        next = timed.next();
    }

    int begun() {
        return begunCount;
    }

    int begun(int i) {
        return begun[i];
    }

    int finished() {
        return finishedCount;
    }

    int finished(int i) {
        return finished[i];
    }

    /** Ends the replay here; returns the time in which it had requests. */
    long close(long now) {
        timed.advance(now);
        for (int h = 0; h < handles; h++) {
            if (requestOf[h] >= 0) {
                log.produced(requestOf[h], engine.outputTokens(h));
            }
        }
        return inFlight > 0 ? busyNanos + Math.max(0, now - busySince) : busyNanos;
    }

    @Override
    public void admitted(int handle, int cachedTokens, boolean resumed) {
        int request = requestOf[handle];
        if (resumed) {
            return;
        }
        if (request == WARMING) {
            warmUp.found(cachedTokens);
            return;
        }
        if (log.wasAdmitted(request)) {
            misses.computedAgain(turnOf[handle], log.conversation(request), number);
            return;
        }
        log.admitted(request, cachedTokens, timed.now());
        misses.admitted(
                request, turnOf[handle], log.conversation(request), number, cachedAtArrival[handle], cachedTokens);
    }

    @Override
    public void loading(int handle, int cachedTokens, int loadedTokens, boolean resumed) {
        if (!resumed && requestOf[handle] != WARMING && !log.wasAdmitted(requestOf[handle])) {
            log.loaded(requestOf[handle], loadedTokens);
        }
    }

    @Override
    public void preempted(int handle) {
        if (requestOf[handle] != WARMING) {
            log.preempted(requestOf[handle]);
        }
    }

    @Override
    public void firstToken(int handle) {
        int request = requestOf[handle];
        if (request == WARMING || log.hasFirst(request)) {
            return; // nobody waits for it, or it had begun before a restart
        }
        log.first(request, timed.now() + downNanos);
        if (begunCount == begun.length) {
            begun = Arrays.copyOf(begun, begunCount * 2);
        }
        begun[begunCount++] = request;
    }

    @Override
    public void finished(int handle, int outputTokens) {
        int request = requestOf[handle];
        requestOf[handle] = RequestLog.NOT_YET;
        turnOf[handle] = null;
        if (request == WARMING) {
            warmUp.ended(timed.now());
            return;
        }
        log.produced(request, outputTokens);
        if (finishedCount == finished.length) {
            finished = Arrays.copyOf(finished, finishedCount * 2);
        }
        finished[finishedCount++] = request;
    }
}

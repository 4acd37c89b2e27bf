package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.ModelRouter;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Replay without a clock: the requests are served one after another in the trace's order, each with one output token. What
 * is left is the cache itself: which blocks each replica held when a request came to it. Used once, by one thread.
 */
public final class SerialReplay {
    private final List<Turn> turns;
    private final SessionIndex sessions;
    private final ModelRouter router;
    private final boolean readsPrompts;
    private final boolean readsFirstBytes;
    private final Seeds seeds;
    private final Fingerprints fingerprints = new Fingerprints();
    private final FleetStatus fleet;
    private final List<Engine> engines = new ArrayList<>();
    private final RequestLog log = new RequestLog();
    private final Admission admission = new Admission(log);
    private final MissLedger misses;
    private long clock;
    private int refused;
    private boolean randomised;

    private SerialReplay(
            List<Turn> turns,
            SessionIndex sessions,
            int replicas,
            EngineConfig engine,
            RoutingPolicy policy,
            Seeds seeds) {
        this.turns = turns;
        this.sessions = sessions;
        this.router = new ModelRouter(policy);
        Needs needs = policy.needs();
        this.readsPrompts = needs.prompt();
        this.readsFirstBytes = needs.firstByte();
        this.seeds = seeds;
        this.fleet = new FleetStatus(replicas, engine, needs);
        ChainInterner chains = new ChainInterner(engine.blockSize());
        this.misses = new MissLedger(engine.blockSize(), replicas, chains, log);
        EngineConfig wholePrompts = engine.withAsyncScheduling(false).withMaxNumBatchedTokens(engine.maxModelLen());
        for (int r = 0; r < replicas; r++) {
            engines.add(new Engine(wholePrompts, chains, admission));
        }
    }

    /**
     * Replays turns in their order.
     *
     * @param engine settings of each replica; how a prompt is cut into steps does not matter here
     * @param policy decides from homes and live sessions; nothing is ever in flight, counters are never read
     */
    public static Outcome run(
            List<Turn> turns,
            SessionIndex sessions,
            int replicas,
            EngineConfig engine,
            RoutingPolicy policy,
            Seeds seeds) {
        return new SerialReplay(turns, sessions, replicas, engine, policy, seeds).run();
    }

    private Outcome run() {
        for (int i = 0; i < turns.size(); i++) {
            serve(turns.get(i), sessions.session(i), sessions.conversation(i));
        }
        return new Outcome(
                log,
                new SessionLog(),
                false,
                0,
                clock,
                new long[engines.size()],
                new ReplicaSamples(0),
                refused,
                0,
                randomised,
                WarmStart.Cost.NONE);
    }

    private void serve(Turn turn, int session, int conversation) {
        // Sessions of some traces all start at 0: the router's clock only ever goes forward.
        clock = Math.max(clock, turn.arrivalNanos());
        int request = log.add(turn, session, conversation);
        log.sent(request, clock);
        ModelRouter.Decision decision = decide(turn);
        Placement placement = decision.placement();
        randomised |= placement.propensity() < 1;
        log.routed(request, placement.replica(), placement.kind());
        Engine chosen = engines.get(placement.replica());
        if (chosen.fits(turn.prompt().tokens(), 1)) {
            admission.request = request;
            chosen.add(turn.prompt(), 1, turn.outputStart());
            while (chosen.hasRequests()) {
                chosen.step();
            }
            int cached = log.cachedTokens(request);
            misses.admitted(request, turn, conversation, placement.replica(), cached, cached);
            misses.ended(turn, conversation, placement.replica());
        } else {
            refused++;
        }
        if (readsFirstBytes) {
            router.answering(decision.ticket(), clock);
        }
        router.release(
                decision.ticket(),
                new Completion(turn.prompt().tokens(), log.cachedTokens(request), log.produced(request)),
                clock);
    }

    private ModelRouter.Decision decide(Turn turn) {
        RoutingRequest asked = new RoutingRequest(
                turn.affinityKey(), turn.prompt().tokens(), seeds.of(Seeds.Purpose.POLICY, turn.index()));
        PromptChain prompt = readsPrompts ? fingerprints.of(turn.prompt()) : PromptChain.NOTHING;
        return router.decide(
                asked,
                prompt,
                fleet.of(r -> Signals.NONE, r -> engines.get(r).cachedPrefix(turn.prompt())),
                false,
                clock);
    }

    private static final class Admission implements EngineListener {
        private final RequestLog log;
        private int request;

        Admission(RequestLog log) {
            this.log = log;
        }

        @Override
        public void admitted(int handle, int cachedTokens, boolean resumed) {
            log.admitted(request, cachedTokens);
        }

        @Override
        public void finished(int handle, int outputTokens) {
            log.produced(request, outputTokens);
        }
    }
}

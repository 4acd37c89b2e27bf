package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaStatus;
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
 * is left is the cache itself: which blocks each replica held when a request came to it.
 */
public final class SerialReplay {
    private SerialReplay() {}

    /**
     * Replays turns in their order.
     *
     * @param engine settings of each replica; how a prompt is cut into steps does not matter here
     * @param policy decides from homes and live sessions; nothing is ever in flight, counters are never read
     */
    public static Outcome run(
            List<Turn> turns, SessionIndex sessions, int replicas, EngineConfig engine, RoutingPolicy policy, Seeds seeds) {
        RequestLog log = new RequestLog();
        ChainInterner chains = new ChainInterner(engine.blockSize());
        EngineConfig wholePrompts = engine.withAsyncScheduling(false).withMaxNumBatchedTokens(engine.maxModelLen());
        List<Engine> engines = new ArrayList<>();
        Needs needs = policy.needs();
        Fingerprints fingerprints = new Fingerprints();
        MissLedger misses = new MissLedger(engine.blockSize(), replicas, chains);
        Admission admission = new Admission(log);
        for (int r = 0; r < replicas; r++) {
            engines.add(new Engine(wholePrompts, chains, admission));
        }
        ModelRouter router = new ModelRouter(policy);
        long clock = 0;
        int refused = 0;
        boolean randomised = false;
        for (int i = 0; i < turns.size(); i++) {
            Turn turn = turns.get(i);
            // Sessions of some traces all start at 0: the router's clock only ever goes forward.
            clock = Math.max(clock, turn.arrivalNanos());
            int request = log.add(turn, sessions.session(i), sessions.conversation(i));
            log.sent(request, clock);
            RoutingRequest asked = new RoutingRequest(
                    turn.affinityKey(), turn.prompt().tokens(), seeds.of(Seeds.Purpose.POLICY, turn.index()));
            PromptChain prompt = needs.prompt() ? fingerprints.of(turn.prompt()) : PromptChain.NOTHING;
            ModelRouter.Decision decision = router.decide(asked, prompt, statuses(engines, turn, needs), clock);
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
                misses.admitted(turn, sessions.conversation(i), placement.replica(), cached, cached);
                misses.ended(turn, sessions.conversation(i), placement.replica());
            } else {
                refused++;
            }
            router.answering(decision.ticket(), clock);
            router.release(
                    decision.ticket(), new Completion(turn.prompt().tokens(), log.cachedTokens(request), log.produced(request)));
        }
        return new Outcome(log, new SessionLog(), false, 0, clock, new long[replicas], refused, misses.tokens(), randomised);
    }

    private static List<ReplicaStatus> statuses(List<Engine> engines, Turn turn, Needs needs) {
        List<ReplicaStatus> fleet = new ArrayList<>();
        for (int r = 0; r < engines.size(); r++) {
            EngineConfig config = engines.get(r).config();
            ReplicaStatus status = ReplicaStatus.up("r" + r, Signals.NONE)
                    .withCapacityTokens(config.unlimited() ? -1 : (long) config.usableBlocks() * config.blockSize());
            fleet.add(
                    needs.has(Input.TRUE_CACHE) ? status.withCachedTokens(engines.get(r).cachedPrefix(turn.prompt())) : status);
        }
        return fleet;
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

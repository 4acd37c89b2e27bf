package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.HeldRequests.Held;
import dev.warmroute.router.state.ModelRouter;
import dev.warmroute.simulator.engine.ChainInterner;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Discrete-event replay of a load on a fleet of simulated replicas behind the live router's own {@link ModelRouter}.
 *
 * <p>A request leaves its client, reaches the router half a network round trip later, is decided there from what the last
 * scrape said and the router remembers, spends its time in the replica's API server and enters the engine's queue. Its tokens
 * travel back the other half. Everything that happens is an event in integer nanoseconds; events of one moment come in a fixed
 * order (scrape, arrivals at routers, arrivals at engines, then the engines by number), those of one kind in the order in
 * which they became known. There is no other source of order, so a replay is a function of its arguments.
 *
 * <p>Engines are advanced only as far as somebody looks at them; in between they run through stretches of decode steps at
 * once. Used once, by one thread.
 */
public final class FleetReplay implements Load.Sender {
    private static final int SCRAPE = 0;
    private static final int ARRIVE = 1;
    private static final int ENQUEUE = 2;
    private static final int LOOK = 3;
    private static final int RESTART = 4;

    /** The live router's default: a request is held for so long and then placed all the same. */
    private static final long MAX_HOLD_NANOS = TimeUnit.SECONDS.toNanos(150);

    private final Load load;
    private final FleetSpec fleet;
    private final ModelRouter router;
    private final boolean readsPrompts;
    private final boolean readsFirstBytes;
    private final Fingerprints fingerprints = new Fingerprints();
    private final Seeds seeds;
    private final Replica[] replicas;
    private final EventQueue events = new EventQueue();
    private final RequestLog log = new RequestLog();
    private final SessionLog sessions = new SessionLog();
    private final FleetStatus status;
    private final MissLedger misses;
    private final HostPace pace;
    private final ReplicaSamples samples;
    private final long upNanos;
    private final long downNanos;

    private Turn[] turns = new Turn[256];
    private int[] items = new int[256];
    private long[] tickets = new long[256];
    private Signals[] signals;
    private long scraped;
    private long now;
    private long firstSend = EventQueue.NEVER;
    private long lastByte;
    private int ended;
    private int refused;
    private boolean randomised;
    /** Requests that wait at the router, by ticket, and when the next look at them is due. */
    private final Map<Long, Integer> held = new HashMap<>();

    private long nextLook = EventQueue.NEVER;

    private FleetReplay(Load load, FleetSpec fleet, RoutingPolicy policy, Seeds seeds) {
        this.load = load;
        this.fleet = fleet;
        this.router = new ModelRouter(policy);
        Needs needs = policy.needs();
        this.readsPrompts = needs.prompt();
        this.readsFirstBytes = needs.firstByte();
        this.seeds = seeds;
        this.upNanos = fleet.networkNanos() / 2;
        this.downNanos = fleet.networkNanos() - upNanos;
        this.replicas = new Replica[fleet.replicas()];
        ChainInterner chains = new ChainInterner(fleet.engine().blockSize());
        this.status = new FleetStatus(replicas.length, fleet.engine(), needs);
        this.misses = new MissLedger(fleet.engine().blockSize(), replicas.length, chains, log);
        for (int r = 0; r < replicas.length; r++) {
            replicas[r] = new Replica(r, fleet, chains, log, misses);
        }
        this.pace = new HostPace(fleet, replicas);
        this.samples = new ReplicaSamples(replicas.length);
        this.signals = new Signals[replicas.length];
        Arrays.fill(signals, Signals.NONE);
    }

    /**
     * Replays a load to its end.
     *
     * @param policy decides where each request goes
     * @param seeds randomness of the policy
     */
    public static Outcome run(Load load, FleetSpec fleet, RoutingPolicy policy, Seeds seeds, Progress progress) {
        return run(load, fleet, policy, seeds, EventQueue.NEVER, progress);
    }

    /**
     * Replays a load up to a moment.
     *
     * @param until moment at which the replay is cut off, in nanoseconds from its start; nothing at it happens any more
     */
    public static Outcome run(
            Load load, FleetSpec fleet, RoutingPolicy policy, Seeds seeds, long until, Progress progress) {
        return new FleetReplay(load, fleet, policy, seeds).run(until, progress);
    }

    private Outcome run(long until, Progress progress) {
        load.begin(this);
        for (Replica replica : replicas) {
            replica.warmUp(0);
        }
        if (!events.isEmpty()) {
            events.add(0, SCRAPE, 0);
        }
        ProgressMeter meter = new ProgressMeter(progress, load.expected(), until);
        while (true) {
            Replica next = earliest();
            long moment = Math.min(events.time(), next.next);
            if (moment >= until || moment == EventQueue.NEVER) {
                break;
            }
            now = moment;
            if (events.time() <= next.next) {
                happen();
            } else {
                act(next);
            }
            meter.at(ended, now);
        }
        return outcome(until);
    }

    private Replica earliest() {
        Replica best = replicas[0];
        for (int r = 1; r < replicas.length; r++) {
            if (replicas[r].next < best.next) {
                best = replicas[r];
            }
        }
        return best;
    }

    private void happen() {
        int kind = events.kind();
        int item = events.remove();
        switch (kind) {
            case SCRAPE -> scrape();
            case ARRIVE -> arrive(item);
            case ENQUEUE -> enqueue(item);
            case LOOK -> {
                if (now == nextLook) {
                    nextLook = EventQueue.NEVER;
                    lookAtHeld();
                }
            }
            case RESTART -> restart(item);
            default -> throw new IllegalStateException("event of kind " + kind);
        }
    }

    @Override
    public void send(Turn turn, int item, int session, int conversation, long at) {
        int request = log.add(turn, session, conversation);
        if (request == turns.length) {
            turns = Arrays.copyOf(turns, request * 2);
            items = Arrays.copyOf(items, request * 2);
            tickets = Arrays.copyOf(tickets, request * 2);
        }
        turns[request] = turn;
        items[request] = item;
        events.add(at + upNanos, ARRIVE, request);
        if (session >= 0) {
            sessions.sent(session, RequestLog.NOT_YET);
        }
    }

    @Override
    public void replicaRestarts(int replica, long at) {
        if (replica < replicas.length) {
            events.add(at, RESTART, replica);
        }
    }

    private void restart(int replica) {
        replicas[replica].restart(now);
        router.forgetReplica(FleetStatus.id(replica));
    }

    @Override
    public void sessionEnded(int session, long at) {
        sessions.ended(session, at);
    }

    private void scrape() {
        scraped = now;
        boolean idle = true;
        boolean kept = samples.begin(now);
        for (int r = 0; r < replicas.length; r++) {
            signals[r] = replicas[r].read(now);
            idle &= replicas[r].idle();
            if (kept) {
                replicas[r].tell(samples);
            }
        }
        if (events.isEmpty() && idle) {
            return;
        }
        long interval = fleet.scrapeNanos();
        long next = now + interval;
        if (idle) {
            // Nothing changes before the next arrival: the scrapes until then would read the same.
            next = Math.max(next, now + (events.time() - now) / interval * interval);
        }
        events.add(next, SCRAPE, 0);
    }

    private void arrive(int request) {
        Turn turn = turns[request];
        long sent = now - upNanos;
        log.sent(request, sent);
        firstSend = Math.min(firstSend, sent);
        if (log.session(request) >= 0) {
            sessions.sent(log.session(request), sent);
        }
        RoutingRequest asked = new RoutingRequest(
                turn.affinityKey(), turn.prompt().tokens(), seeds.of(Seeds.Purpose.POLICY, turn.index()));
        PromptChain prompt = readsPrompts ? fingerprints.of(turn.prompt()) : PromptChain.NOTHING;
        ModelRouter.Decision decision = router.decide(asked, prompt, statuses(turn), now);
        if (decision.placement().held()) {
            held.put(decision.ticket(), request);
            lookLater();
        } else {
            dispatch(request, decision);
        }
    }

    /** Asks again about the requests that wait at the router, in their order, until one has to wait on. */
    private void lookAtHeld() {
        Optional<Held> first = router.firstHeld();
        while (first.isPresent()) {
            int request = held.get(first.get().ticket());
            boolean expired = now - first.get().since() >= MAX_HOLD_NANOS;
            Optional<ModelRouter.Decision> placed = router.again(first.get(), statuses(turns[request]), expired, now);
            if (placed.isEmpty()) {
                lookLater();
                return;
            }
            held.remove(first.get().ticket());
            dispatch(request, placed.get());
            first = router.firstHeld();
        }
    }

    private List<ReplicaStatus> statuses(Turn turn) {
        long age = (now - scraped) / 1_000_000;
        return status.of(r -> signals[r].aged(age), r -> replicas[r].cachedTokens(now, turn));
    }

    private void lookLater() {
        long expires = router.firstHeld().orElseThrow().since() + MAX_HOLD_NANOS;
        long at = Math.max(now + 1, Math.min(expires, router.askAgainAt(now)));
        if (at < nextLook) {
            nextLook = at;
            events.add(at, LOOK, 0);
        }
    }

    private void dispatch(int request, ModelRouter.Decision decision) {
        Turn turn = turns[request];
        Placement placement = decision.placement();
        if (!placement.chosen()) {
            throw new IllegalStateException("policy " + router.policy().spec().name() + " chose no replica of "
                    + replicas.length + " for request " + turn.index());
        }
        randomised |= placement.propensity() < 1;
        tickets[request] = decision.ticket();
        log.routed(request, placement.replica(), placement.kind());
        replicas[placement.replica()].starts(now);
        pace.changed(now);
        long frontend = pace.paced(fleet.frontend().nanos(turn.prompt().tokens()));
        if (frontend == 0) {
            enqueue(request);
        } else {
            events.add(now + frontend, ENQUEUE, request);
        }
    }

    private void enqueue(int request) {
        Replica replica = replicas[log.replica(request)];
        if (replica.add(now, request, turns[request])) {
            return;
        }
        refused++;
        finish(replica, request);
    }

    /** Lets a replica do what it has to do now, then what follows from the answers that ended. */
    private void act(Replica replica) {
        replica.act(now, downNanos);
        if (readsFirstBytes) {
            for (int i = 0; i < replica.begun(); i++) {
                router.answering(tickets[replica.begun(i)], now);
            }
        }
        for (int i = 0; i < replica.finished(); i++) {
            finish(replica, replica.finished(i));
        }
    }

    private void finish(Replica replica, int request) {
        replica.ends(now);
        pace.changed(now);
        router.release(tickets[request], completion(request), now);
        lookAtHeld();
        ended++;
        long at = now + downNanos;
        lastByte = Math.max(lastByte, at);
        log.ended(request, at);
        if (log.wasAdmitted(request)) {
            misses.ended(turns[request], log.conversation(request), log.replica(request));
        }
        turns[request] = null;
        load.ended(items[request], at, this);
    }

    private Completion completion(int request) {
        return log.wasAdmitted(request)
                ? new Completion(log.promptTokens(request), log.cachedTokens(request), log.produced(request))
                : Completion.UNKNOWN;
    }

    private Outcome outcome(long until) {
        long end = until == EventQueue.NEVER ? lastByte : until;
        long[] busy = new long[replicas.length];
        WarmStart.Cost warmed = WarmStart.Cost.NONE;
        for (int r = 0; r < replicas.length; r++) {
            busy[r] = replicas[r].close(end);
            warmed = warmed.plus(replicas[r].warmed());
        }
        return new Outcome(
                log,
                sessions,
                true,
                firstSend == EventQueue.NEVER ? 0 : firstSend,
                end,
                busy,
                samples,
                refused,
                0,
                randomised,
                warmed);
    }

    /** Turns requests ended and time passed into a share that never falls, told when it has grown by a hundredth. */
    private static final class ProgressMeter {
        private final Progress progress;
        private final long expected;
        private final long until;
        private double told;

        ProgressMeter(Progress progress, long expected, long until) {
            this.progress = progress;
            this.expected = expected;
            this.until = until;
        }

        void at(int ended, long now) {
            double share =
                    until != EventQueue.NEVER ? (double) now / until : expected > 0 ? (double) ended / expected : 0;
            if (share >= told + 0.01) {
                told = share;
                progress.at(share);
            }
        }
    }
}

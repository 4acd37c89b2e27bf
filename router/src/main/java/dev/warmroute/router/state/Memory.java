package dev.warmroute.router.state;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.Input.Scope;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.Flights.Flight;
import dev.warmroute.router.state.ModelRouter.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What one model's router remembers, handed out as the views that its policy needs. */
final class Memory {
    private final Sessions sessions;
    private final Flights flights = new Flights();
    private final SinceReading sinceReading = new SinceReading();
    private final Learnt learnt = new Learnt();
    private final Places places = new Places();
    private final WorkingSets workingSets = new WorkingSets();
    private Needs needs = Needs.NOTHING;
    private PromptMemory prompts = new PromptMemory(Needs.Prefixes.DEFAULT);
    private RecentWork recent = new RecentWork(0);
    private boolean countsSinceReading;
    private List<Input> ofModel = List.of();
    private List<Input> ofReplica = List.of();
    private long cursor;

    Memory(Sessions sessions) {
        this.sessions = sessions;
    }

    /** From now on remembers what these needs ask for. */
    void serve(Needs other) {
        if (!other.prefixes().equals(needs.prefixes()) || !other.prompt()) {
            prompts = new PromptMemory(other.prefixes());
        }
        if (other.windowSeconds() != needs.windowSeconds() || !other.has(Input.WINDOW_TOKENS)) {
            recent = new RecentWork(TimeUnit.SECONDS.toNanos(other.windowSeconds()));
        }
        sessions.windows(
                TimeUnit.SECONDS.toNanos(other.conversations().idleSeconds()),
                TimeUnit.SECONDS.toNanos(other.conversations().liveSeconds()));
        ofModel = other.inputs().stream().filter(i -> i.scope() == Scope.MODEL).toList();
        ofReplica =
                other.inputs().stream().filter(i -> i.scope() == Scope.REPLICA).toList();
        countsSinceReading = other.has(Input.SENT) || other.has(Input.SENT_TOKENS);
        needs = other;
    }

    /**
     * How a request has waited.
     *
     * @param ahead requests held before it
     * @param nanos for how long
     * @param expired whether it may not be held any longer
     */
    record Waiting(int ahead, int held, long nanos, boolean expired) {
        static final Waiting FOR_NOTHING = new Waiting(0, 0, 0, false);
    }

    int inFlight(String replica) {
        return flights.load(replica).requests();
    }

    long nextTicket() {
        return cursor;
    }

    /** After so long without a turn a conversation's place may go to another. */
    private long releaseNanos() {
        return workingSets.releaseNanos(needs.places());
    }

    /** When the next place lapses, on the caller's clock, or {@link Long#MAX_VALUE}. */
    long nextLapse(long now) {
        return places.nextLapse(releaseNanos(), now);
    }

    /** A request of a conversation is there for the first time. */
    void spoke(RoutingRequest request, long now) {
        long gap = needs.holds() ? sessions.spoke(request.session(), now) : -1;
        if (gap >= 0) {
            workingSets.spokeAfter(gap);
        }
    }

    FleetView view(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, Waiting waiting, long now) {
        if (needs.holds()) {
            places.expire(TimeUnit.SECONDS.toNanos(needs.conversations().idleSeconds()), now);
        }
        String home = sessions.home(request.session(), now);
        recent.expire(now);
        int homeIndex = FleetView.NONE;
        List<ReplicaView> replicas = new ArrayList<>(fleet.size());
        for (ReplicaStatus r : fleet) {
            if (r.id().equals(home)) {
                homeIndex = replicas.size();
            }
            if (countsSinceReading && r.signals().known()) {
                sinceReading.read(r.id(), r.signals().ageMillis(), now);
            }
            replicas.add(new ReplicaView(
                    r.id(),
                    r.eligible(),
                    r.reason(),
                    inFlight(r.id()),
                    sessions.live(r.id()),
                    r.signals(),
                    cachedTokens(r, prompt, now),
                    inputs(r, now)));
        }
        return new FleetView(List.copyOf(replicas), homeIndex, inputs(request, prompt, fleet, waiting));
    }

    private int cachedTokens(ReplicaStatus r, PromptChain prompt, long now) {
        if (needs.has(Input.TRUE_CACHE) && r.cachedTokens() >= 0) {
            return r.cachedTokens();
        }
        return needs.has(Input.PREDICTED_CACHE) || needs.has(Input.TRUE_CACHE)
                ? prompts.cachedTokens(r.id(), prompt, now)
                : -1;
    }

    private Map<String, Double> inputs(
            RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, Waiting waiting) {
        if (ofModel.isEmpty()) {
            return Map.of();
        }
        Map<String, Double> values = new HashMap<>();
        for (Input input : ofModel) {
            double value = switch (input) {
                case CURSOR -> cursor;
                case PREFIX_KEY -> prompts.hasKey(prompt) ? prompts.key(prompt) : Double.NaN;
                case FIRST_HOME -> index(fleet, sessions.firstHome(request.session()));
                case SESSION_TOKENS -> known(sessions.tokens(request.session()));
                case PREFILL_RATE -> learnt.knowsPrefillRate() ? learnt.prefillRate() : Double.NaN;
                case MEAN_OUTPUT -> learnt.knowsOutput() ? learnt.meanOutput() : Double.NaN;
                case PLACE -> index(fleet, places.of(request.session()));
                case AHEAD -> waiting.ahead();
                case HELD -> waiting.held();
                case TURN_RATE -> workingSets.turnsPerSecond();
                case WAITED -> waiting.nanos() / 1e9;
                case HOLD_EXPIRED -> waiting.expired() ? 1 : 0;
                case COMMON_TOKENS -> workingSets.commonTokens();
                case PRIVATE_TOKENS -> workingSets.privateTokens();
                case LOST_PREFIX -> workingSets.lostPrefixSeconds();
                case ANSWER -> workingSets.answerSeconds();
                case IDLE_PLACE -> workingSets.idlePlaceSeconds(needs.places());
                default -> throw new IllegalStateException(input + " is not a model's input");
            };
            put(values, input, value);
        }
        return Map.copyOf(values);
    }

    private Map<String, Double> inputs(ReplicaStatus r, long now) {
        if (ofReplica.isEmpty()) {
            return Map.of();
        }
        Map<String, Double> values = new HashMap<>();
        Flights.Load load = flights.load(r.id());
        for (Input input : ofReplica) {
            double value = switch (input) {
                case DECIDED -> load.decided();
                case SENT -> sinceReading.requests(r.id());
                case SENT_TOKENS -> sinceReading.tokens(r.id());
                case PROMPT_TOKENS -> load.promptTokens();
                case PREFILLING -> load.prefilling();
                case PREFILL_TOKENS -> load.prefillTokens();
                case PREFILL_PAIRS -> load.prefillPairs();
                case INDEXED_TOKENS -> prompts.indexedTokens(r.id());
                case WINDOW_TOKENS -> recent.tokens(r.id());
                case WINDOW_REQUESTS -> recent.requests(r.id());
                case CAPACITY_TOKENS -> known(r.capacityTokens());
                case PLACES -> places.on(r.id());
                case LAPSED -> places.lapsed(r.id(), releaseNanos(), now);
                case LONGEST_IDLE -> {
                    long nanos = places.longestIdleNanos(r.id(), now);
                    yield nanos < 0 ? Double.NaN : nanos / 1e9;
                }
                default -> throw new IllegalStateException(input + " is not a replica's input");
            };
            put(values, input, value);
        }
        return Map.copyOf(values);
    }

    private static void put(Map<String, Double> values, Input input, double value) {
        if (!Double.isNaN(value)) {
            values.put(input.wireName(), value);
        }
    }

    private static double known(long value) {
        return value < 0 ? Double.NaN : value;
    }

    private static double index(List<ReplicaStatus> fleet, String id) {
        for (int i = 0; i < fleet.size(); i++) {
            if (fleet.get(i).id().equals(id)) {
                return i;
            }
        }
        return Double.NaN;
    }

    void decided(Decision decision, PromptChain prompt, long now) {
        cursor++;
        RoutingRequest request = decision.request();
        if (decision.placement().chosen()) {
            ReplicaView chosen = decision.view().replica(decision.placement().replica());
            long promptTokens = Math.max(0, request.promptTokens());
            long uncached = chosen.uncachedTokens(promptTokens);
            flights.begin(new Flight(
                    decision.ticket(), request.session(), chosen.id(), now, promptTokens, uncached, Flight.NEVER));
            if (countsSinceReading) {
                sinceReading.sent(chosen.id(), uncached);
            }
            if (needs.has(Input.WINDOW_TOKENS)) {
                recent.sent(chosen.id(), uncached, now);
            }
            if (needs.holds() && request.hasSession()) {
                places.begin(
                        request.session(), chosen.id(), decision.placement().room());
            }
            if (needs.prompt()) {
                prompts.sent(chosen.id(), prompt, now);
            }
        }
        if (decision.placement().held()) {
            places.giveUp(request.session());
        }
        String home = decision.homeAfter();
        if (request.hasSession() && !home.isEmpty()) {
            sessions.use(request.session(), home, now);
        }
    }

    void cached(String replica, PromptChain prompt, long now) {
        if (needs.prompt()) {
            prompts.sent(replica, prompt, now);
        }
    }

    void answering(long ticket, long now) {
        flights.answering(ticket, now).ifPresent(f -> learnt.firstByte(f.uncachedTokens(), now - f.at()));
    }

    void ended(long ticket, Completion completion, long now) {
        Flight flight = flights.end(ticket);
        if (completion.outputTokens() >= 0) {
            learnt.answered(completion.outputTokens());
        }
        places.end(
                flight.session(), flight.replica(), now); // the policy that gave the place may have been replaced since
        if (needs.holds()) {
            boolean first = sessions.tokens(flight.session()) < 0;
            workingSets.ended(first, completion, flight, now);
            sessions.ended(flight.session(), now);
        }
        if (completion.contextTokens() >= 0) {
            sessions.tokens(flight.session(), completion.contextTokens());
        }
    }

    int forgetReplica(String replica) {
        prompts.forgetReplica(replica);
        places.forgetReplica(replica);
        return sessions.forgetReplica(replica);
    }
}

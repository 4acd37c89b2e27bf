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
        ofReplica = other.inputs().stream().filter(i -> i.scope() == Scope.REPLICA).toList();
        countsSinceReading = other.has(Input.SENT) || other.has(Input.SENT_TOKENS);
        needs = other;
    }

    int inFlight(String replica) {
        return flights.load(replica).requests();
    }

    long nextTicket() {
        return cursor;
    }

    FleetView view(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, long now) {
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
                    inputs(r)));
        }
        return new FleetView(List.copyOf(replicas), homeIndex, inputs(request, prompt, fleet));
    }

    private int cachedTokens(ReplicaStatus r, PromptChain prompt, long now) {
        if (needs.has(Input.TRUE_CACHE) && r.cachedTokens() >= 0) {
            return r.cachedTokens();
        }
        return needs.has(Input.PREDICTED_CACHE) || needs.has(Input.TRUE_CACHE) ? prompts.cachedTokens(r.id(), prompt, now) : -1;
    }

    private Map<String, Double> inputs(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet) {
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
                default -> throw new IllegalStateException(input + " is not a model's input");
            };
            put(values, input, value);
        }
        return Map.copyOf(values);
    }

    private Map<String, Double> inputs(ReplicaStatus r) {
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
            flights.begin(
                    new Flight(decision.ticket(), request.session(), chosen.id(), now, promptTokens, uncached, false));
            if (countsSinceReading) {
                sinceReading.sent(chosen.id(), uncached);
            }
            if (needs.has(Input.WINDOW_TOKENS)) {
                recent.sent(chosen.id(), uncached, now);
            }
            if (needs.prompt()) {
                prompts.sent(chosen.id(), prompt, now);
            }
        }
        String home = decision.homeAfter();
        if (request.hasSession() && !home.isEmpty()) {
            sessions.use(request.session(), home, now);
        }
    }

    void answering(long ticket, long now) {
        flights.answering(ticket).ifPresent(f -> learnt.firstByte(f.uncachedTokens(), now - f.at()));
    }

    void ended(long ticket, Completion completion) {
        Flight flight = flights.end(ticket);
        if (completion.outputTokens() >= 0) {
            learnt.answered(completion.outputTokens());
        }
        if (completion.contextTokens() >= 0) {
            sessions.tokens(flight.session(), completion.contextTokens());
        }
    }

    int forgetReplica(String replica) {
        prompts.forgetReplica(replica);
        return sessions.forgetReplica(replica);
    }
}

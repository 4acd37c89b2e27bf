package dev.warmroute.router.proxy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.RouterClock;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.Membership.Member;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.config.RouterConfig.Limits;
import dev.warmroute.router.proxy.PolicyHistory.InForce;
import dev.warmroute.router.proxy.Replica.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** The models that are served, and which replicas serve them. */
final class Models {
    private static final int MAX_ALIASES = 1_000;

    private final Map<String, ModelRoute> byName = new LinkedHashMap<>();
    /** How replicas describe the models configured. */
    private final Map<String, ObjectNode> cards = new ConcurrentHashMap<>();
    /** Further names that replicas answer to: aliases, adapters. */
    private final Map<String, Alias> aliases = new ConcurrentSkipListMap<>();

    private final ModelRoute first;
    private final RouterClock clock;
    private final long createdSeconds;
    private Membership membership;

    Models(List<ModelConfig> configs, RouterServices services, Limits limits) {
        this.clock = services.clock();
        for (ModelConfig config : configs) {
            byName.put(config.name(), new ModelRoute(config, services, limits));
        }
        first = byName.values().iterator().next();
        createdSeconds = clock.epochMicros(clock.nanos()) / 1_000_000;
        membership = Membership.of(configs);
        seat(membership, ReplicaHealth::trusted);
    }

    /** What one membership has that another has not. */
    record Change(List<Seat> before, List<Seat> after) {
        /** Replicas that were there before and are no more. */
        List<Replica> removed() {
            return before.stream()
                    .map(Seat::replica)
                    .filter(r -> after.stream().noneMatch(s -> s.replica() == r))
                    .toList();
        }

        /** Replicas that went from serving to being drained, or back. */
        List<Seat> drainChanged() {
            return after.stream()
                    .filter(now -> before.stream()
                            .anyMatch(s -> s.replica() == now.replica()
                                    && s.member().draining() != now.member().draining()))
                    .toList();
        }
    }

    synchronized Membership membership() {
        return membership;
    }

    /** Goes over to another membership of the same models; replicas that stay keep everything that is known of them. */
    synchronized Change change(Membership next) {
        if (!next.models().keySet().equals(byName.keySet())) {
            throw new IllegalArgumentException("models cannot be added or taken away");
        }
        List<Seat> before = seats();
        seat(next, () -> ReplicaHealth.unproven(clock.nanos()));
        membership = next;
        Change change = new Change(before, seats());
        change.after().forEach(s -> s.replica().standing(s.member().draining() ? Standing.DRAINING : Standing.SERVING));
        change.removed().forEach(r -> r.standing(Standing.REMOVED));
        return change;
    }

    private void seat(Membership members, Supplier<ReplicaHealth> health) {
        members.models().forEach((model, list) -> {
            ModelRoute route = byName.get(model);
            List<Seat> next = new ArrayList<>();
            for (Member member : list) {
                Optional<Seat> old = route.seats().stream()
                        .filter(s -> s.replica().config().equals(member.replica()))
                        .findFirst();
                next.add(old.filter(s -> s.member().equals(member))
                        .orElseGet(() -> Seat.of(
                                old.map(Seat::replica).orElseGet(() -> new Replica(member.replica(), health.get())),
                                member,
                                clock.nanos())));
            }
            route.seats(next);
        });
    }

    private List<Seat> seats() {
        return byName.values().stream().flatMap(r -> r.seats().stream()).toList();
    }

    private record Alias(ModelRoute route, ObjectNode card) {}

    /** The route of a model, by its own name or another that its replicas answer to. */
    Optional<ModelRoute> named(String name) {
        ModelRoute route = byName.get(name);
        return route != null
                ? Optional.of(route)
                : Optional.ofNullable(aliases.get(name)).map(Alias::route);
    }

    /** How many replicas there are, of all models. */
    int replicas() {
        return all().stream().mapToInt(m -> m.seats().size()).sum();
    }

    /** Requests that all replicas can run at the same time. */
    long places() {
        return all().stream()
                .mapToLong(m -> (long) m.config().maxNumSeqs() * m.seats().size())
                .sum();
    }

    /** Whether a policy keeps requests waiting. */
    boolean mayHold() {
        return all().stream().anyMatch(m -> InForce.policy(m.config()).needs().holds());
    }

    ModelRoute first() {
        return first;
    }

    List<ModelRoute> all() {
        return List.copyOf(byName.values());
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /**
     * Remembers how a replica describes one of the models that it serves, for the list of models; it outlives the replica. A
     * name that is not configured is served by the replicas of that route from now on.
     */
    void describe(ModelRoute route, ObjectNode card) {
        String name = card.path("id").asText();
        if (name.equals(route.name())) {
            cards.put(name, card);
        } else if (!name.isEmpty() && !byName.containsKey(name) && aliases.size() < MAX_ALIASES) {
            aliases.put(name, new Alias(route, card));
        }
    }

    /** A model's entry in the list of models: as a replica described it, or as far as the configuration says. */
    private ObjectNode card(String model) {
        ObjectNode card = cards.get(model);
        return card != null
                ? card
                : JsonNodeFactory.instance
                        .objectNode()
                        .put("id", model)
                        .put("object", "model")
                        .put("created", createdSeconds)
                        .put("owned_by", "vllm")
                        .put("root", model);
    }

    /** Body of {@code GET /v1/models}; complete whether replicas are up or not. */
    ObjectNode list() {
        ObjectNode list = JsonNodeFactory.instance.objectNode().put("object", "list");
        ArrayNode data = list.putArray("data");
        byName.keySet().forEach(name -> data.add(card(name)));
        aliases.values().forEach(alias -> data.add(alias.card()));
        return list;
    }

    /** Body of {@code GET /v1/models/NAME}. */
    Optional<ObjectNode> describe(String name) {
        return byName.containsKey(name)
                ? Optional.of(card(name))
                : Optional.ofNullable(aliases.get(name)).map(Alias::card);
    }
}

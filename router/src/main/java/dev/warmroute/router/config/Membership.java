package dev.warmroute.router.config;

import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Which replicas serve which model: a value. A running router goes from one membership to the next in a single step, so that
 * no decision ever sees half of a change. Every method that returns another membership refuses, with a {@link UserError},
 * what a configuration file could not say either.
 *
 * @param models the members by model, models and members in configuration order
 */
public record Membership(Map<String, List<Member>> models) {
    public Membership {
        Map<String, List<Member>> copy = new LinkedHashMap<>();
        models.forEach((model, members) -> copy.put(model, List.copyOf(members)));
        models = Collections.unmodifiableMap(copy);
    }

    /**
     * A replica that belongs to a model.
     *
     * @param drain empty: it serves; else it is being drained: no new conversation is placed there, running answers end, and
     *     for this long conversations at home there may go on there, after which their next request moves them
     */
    public record Member(ReplicaConfig replica, Optional<Duration> drain) {
        public boolean draining() {
            return drain.isPresent();
        }
    }

    /** The replicas of a configuration, all of them serving. */
    public static Membership of(List<ModelConfig> models) {
        Map<String, List<Member>> members = new LinkedHashMap<>();
        for (ModelConfig model : models) {
            members.put(
                    model.name(),
                    model.replicas().stream()
                            .map(r -> new Member(r, Optional.empty()))
                            .toList());
        }
        return new Membership(members);
    }

    /** All members of all models. */
    public Stream<Member> all() {
        return models.values().stream().flatMap(List::stream);
    }

    /** Whether a replica of this id belongs to any model. */
    public boolean has(String id) {
        return all().anyMatch(m -> m.replica().id().equals(id));
    }

    /** With one more replica of a model, after the others. */
    public Membership with(String model, ReplicaConfig replica) {
        List<Member> members = models.get(model);
        if (members == null) {
            throw new UserError("there is no model '" + model + "'; models: " + String.join(", ", models.keySet()));
        }
        if (has(replica.id())) {
            throw new UserError(
                    "there is a replica '" + replica.id() + "' already; choose another id, or remove that one first");
        }
        for (Member m : members) {
            if (m.replica().url().equals(replica.url())
                    && m.replica().dataParallelRank().equals(replica.dataParallelRank())) {
                throw new UserError(
                        replica.url() + " is already replica '" + m.replica().id() + "' of model '" + model + "'");
            }
        }
        return changed(model, list -> list.add(new Member(replica, Optional.empty())));
    }

    /** Without a replica; a model keeps at least one. */
    public Membership without(String id) {
        String model = modelOf(id);
        if (models.get(model).size() == 1) {
            throw new UserError("replica '" + id + "' is the last one of model '" + model + "'; add another one first");
        }
        return changed(model, list -> list.removeIf(m -> m.replica().id().equals(id)));
    }

    /**
     * With a replica being drained.
     *
     * @param stay how long conversations at home there may go on there; zero: they move with their next request
     */
    public Membership draining(String id, Duration stay) {
        if (stay.isNegative()) {
            throw new UserError("the time that conversations may stay on '" + id + "' must not be negative");
        }
        return replaced(id, m -> new Member(m.replica(), Optional.of(stay)));
    }

    /** With a replica serving again that was being drained. */
    public Membership serving(String id) {
        return replaced(id, m -> new Member(m.replica(), Optional.empty()));
    }

    private Membership replaced(String id, UnaryOperator<Member> by) {
        return changed(
                modelOf(id), list -> list.replaceAll(m -> m.replica().id().equals(id) ? by.apply(m) : m));
    }

    private String modelOf(String id) {
        return models.entrySet().stream()
                .filter(e ->
                        e.getValue().stream().anyMatch(m -> m.replica().id().equals(id)))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new UserError("there is no replica '" + id + "'; replicas: "
                        + String.join(", ", all().map(m -> m.replica().id()).toList())));
    }

    private Membership changed(String model, Consumer<List<Member>> change) {
        Map<String, List<Member>> next = new LinkedHashMap<>(models);
        List<Member> members = new ArrayList<>(models.get(model));
        change.accept(members);
        next.put(model, members);
        return new Membership(next);
    }
}

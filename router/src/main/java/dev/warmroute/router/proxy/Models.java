package dev.warmroute.router.proxy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.RouterClock;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.fleet.SignalsSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The models that are served. */
final class Models {
    private final Map<String, ModelRoute> byName = new LinkedHashMap<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final Map<String, ObjectNode> cards = new ConcurrentHashMap<>();
    private final ModelRoute first;
    private final long createdSeconds;

    Models(List<ModelConfig> configs, SignalsSource signals, RouterClock clock) {
        for (ModelConfig config : configs) {
            List<Replica> own = new ArrayList<>();
            for (ReplicaConfig r : config.replicas()) {
                own.add(new Replica(r, replicas.size()));
                replicas.add(own.get(own.size() - 1));
            }
            byName.put(config.name(), new ModelRoute(config, own, signals, clock));
        }
        first = byName.values().iterator().next();
        createdSeconds = clock.epochMicros(clock.nanos()) / 1_000_000;
    }

    Optional<ModelRoute> named(String name) {
        return Optional.ofNullable(byName.get(name));
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

    /** All replicas of all models, by index. */
    List<Replica> replicas() {
        return replicas;
    }

    /** Remembers how a replica describes a model, for the list of models; it outlives the replica. */
    void describe(String model, ObjectNode card) {
        cards.put(model, card);
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
        return list;
    }

    /** Body of {@code GET /v1/models/NAME}. */
    Optional<ObjectNode> describe(String name) {
        return byName.containsKey(name) ? Optional.of(card(name)) : Optional.empty();
    }
}

package dev.warmroute.router.config;

import dev.warmroute.router.config.RouterConfigReader.Supplied;
import dev.warmroute.router.policy.RoutingPolicy;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads the models and their replicas, and refuses what collides between them. */
final class ModelsReader {
    private final Problems problems;
    private final boolean fingerprints;
    private final Set<String> names = new HashSet<>();
    /** Path of the replica that has an id. */
    private final Map<String, String> ids = new HashMap<>();

    /** @param fingerprints whether prompts may be looked at, which some policies need */
    ModelsReader(Problems problems, boolean fingerprints) {
        this.problems = problems;
        this.fingerprints = fingerprints;
    }

    Supplied<List<ModelConfig>> read(List<ConfigSection> sections) {
        List<Supplied<ModelConfig>> models = sections.stream().map(this::model).toList();
        return () -> models.stream().map(Supplied::get).toList();
    }

    private Supplied<ModelConfig> model(ConfigSection section) {
        String name = section.text(ConfigKey.MODEL_NAME);
        if (section.has(ConfigKey.MODEL_NAME) && (name.isBlank() || name.length() > 256)) {
            section.problem(ConfigKey.MODEL_NAME, "must have 1 to 256 characters");
        }
        if (!name.isEmpty() && !names.add(name)) {
            section.problem(ConfigKey.MODEL_NAME, "another model has the name '" + name + "'");
        }
        int maxNumSeqs = section.count(ConfigKey.MODEL_MAX_NUM_SEQS, 1);
        boolean affinity = section.isOn(ConfigKey.MODEL_AFFINITY);
        Map<String, String> policy = section.namedWithParameters(ConfigKey.MODEL_POLICY);
        String policyName = policy.remove("name");
        checkPolicy(section, policyName, policy, maxNumSeqs);
        Set<String> endpoints = new HashSet<>();
        List<Supplied<ReplicaConfig>> replicas = new ArrayList<>();
        for (ConfigSection replica : section.sections(ConfigKey.MODEL_REPLICAS)) {
            replicas.add(replica(replica, endpoints));
        }
        return () -> new ModelConfig(
                name,
                maxNumSeqs,
                affinity,
                policyName,
                policy,
                replicas.stream().map(Supplied::get).toList());
    }

    private void checkPolicy(ConfigSection section, String name, Map<String, String> parameters, int maxNumSeqs) {
        Optional<RoutingPolicy> policy = section.requirePolicy(name, parameters, maxNumSeqs);
        if (policy.filter(p -> p.needs().prompt()).isPresent() && !fingerprints) {
            section.problem(
                    ConfigKey.MODEL_POLICY, "'" + name + "' decides by what prompts say: it needs prompt.fingerprint");
        }
    }

    Supplied<ReplicaConfig> replica(ConfigSection section, Set<String> endpoints) {
        String id = section.text(ConfigKey.REPLICA_ID);
        if (section.has(ConfigKey.REPLICA_ID)) {
            ReplicaConfig.problemWithId(id).ifPresent(p -> section.problem(ConfigKey.REPLICA_ID, p));
            String other = ids.putIfAbsent(id, section.at("id"));
            if (other != null) {
                section.problem(ConfigKey.REPLICA_ID, "'" + id + "' is taken by " + other);
            }
        }
        OptionalInt rank = section.has(ConfigKey.REPLICA_RANK)
                ? OptionalInt.of(section.count(ConfigKey.REPLICA_RANK, 0))
                : OptionalInt.empty();
        Optional<URI> url = url(section);
        url.ifPresent(u -> {
            if (!endpoints.add(u + "#" + rank)) {
                section.problem(ConfigKey.REPLICA_URL, u + " is already a replica of this model");
            }
        });
        String key = section.text(ConfigKey.REPLICA_API_KEY);
        ReplicaConfig.problemWithKey(key).ifPresent(p -> section.problem(ConfigKey.REPLICA_API_KEY, p));
        return () ->
                new ReplicaConfig(id, url.orElseThrow(), rank, key.isEmpty() ? Optional.empty() : Optional.of(key));
    }

    private static Optional<URI> url(ConfigSection section) {
        String text = section.text(ConfigKey.REPLICA_URL);
        if (!section.has(ConfigKey.REPLICA_URL)) {
            return Optional.empty();
        }
        Optional<URI> url = ReplicaConfig.parseUrl(text);
        if (url.isEmpty()) {
            section.problem(ConfigKey.REPLICA_URL, "must be " + ReplicaConfig.urlExpected(text));
        }
        return url;
    }
}

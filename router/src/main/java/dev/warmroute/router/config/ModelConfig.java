package dev.warmroute.router.config;

import java.util.List;
import java.util.Map;

/**
 * One model.
 *
 * @param maxNumSeqs the engines' {@code --max-num-seqs}
 * @param affinity whether conversations are kept together at all
 * @param policy the policy's name
 * @param policyParameters its parameters as written; missing ones take their defaults
 * @param replicas at least one
 */
public record ModelConfig(
        String name,
        int maxNumSeqs,
        boolean affinity,
        String policy,
        Map<String, String> policyParameters,
        List<ReplicaConfig> replicas) {
    public ModelConfig {
        policyParameters = Map.copyOf(policyParameters);
        replicas = List.copyOf(replicas);
        if (name.isEmpty() || replicas.isEmpty()) {
            throw new IllegalArgumentException("a model needs a name and a replica");
        }
    }
}

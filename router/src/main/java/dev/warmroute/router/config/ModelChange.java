package dev.warmroute.router.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.PolicyError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A change to a model of a running router, as JSON: {@code policy} and {@code affinity} as {@code router.yaml} has them,
 * {@code overflow_threshold} for that parameter alone; what is left out stays. {@code by} and {@code check_hash} say where the
 * change comes from, {@code in_force} what it is meant for.
 *
 * @param by {@code admin}, {@code promote} or {@code rollback}
 * @param checkHash hash of the check that the policy passed
 * @param inForce names what is to be replaced, as the status does; empty: whatever is in force
 */
public record ModelChange(
        Optional<Map<String, String>> policy,
        Optional<String> threshold,
        Optional<Boolean> affinity,
        String by,
        Optional<String> checkHash,
        Optional<String> inForce) {
    /** Names what a change is meant for, in the status, in a change, and where one is taken back. */
    public static final String IN_FORCE = "in_force";

    private static final String NAME = "name";
    private static final String THRESHOLD = "overflow_threshold";
    private static final List<String> VALID = List.of("policy", THRESHOLD, "affinity", "by", "check_hash", IN_FORCE);

    /** Taking a change back: no change by itself, and recorded as one. */
    public static final String BY_ROLLBACK = "rollback";

    private static final Set<String> SOURCES = Set.of("admin", "promote", BY_ROLLBACK);

    /**
     * Reads a change.
     *
     * @throws ConfigError if it is wrong; every mistake is named with its path
     */
    public static ModelChange read(JsonNode json) {
        Problems problems = new Problems("the change");
        if (!json.isObject()) {
            problems.add("", "must be a JSON object with some of " + String.join(", ", VALID));
            problems.throwIfAny();
        }
        ObjectNode model = ((ObjectNode) json).deepCopy();
        List<String> names = new ArrayList<>();
        model.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (!VALID.contains(name)) {
                problems.add(name, "cannot be changed here; valid are " + String.join(", ", VALID));
            }
        }
        if (names.stream().noneMatch(n -> n.equals("policy") || n.equals(THRESHOLD) || n.equals("affinity"))) {
            problems.add("", "changes nothing; give some of policy, " + THRESHOLD + ", affinity");
        }
        Optional<String> by = text(model, "by", problems);
        by.filter(b -> !SOURCES.contains(b)).ifPresent(b -> problems.add("by", "must be admin, promote or rollback, not '" + b + "'"));
        Optional<String> threshold = text(model, THRESHOLD, problems);
        Optional<String> checkHash = text(model, "check_hash", problems);
        Optional<String> inForce = text(model, IN_FORCE, problems);
        model.retain("policy", "affinity");
        ConfigSection section = new ConfigSection(model, "", "models[]", problems);
        ModelChange change = new ModelChange(
                section.has(ConfigKey.MODEL_POLICY)
                        ? Optional.of(section.namedWithParameters(ConfigKey.MODEL_POLICY))
                        : Optional.empty(),
                threshold,
                section.has(ConfigKey.MODEL_AFFINITY) ? Optional.of(section.isOn(ConfigKey.MODEL_AFFINITY)) : Optional.empty(),
                by.orElse("admin"),
                checkHash,
                inForce);
        problems.throwIfAny();
        return change;
    }

    private static Optional<String> text(ObjectNode json, String name, Problems problems) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isValueNode()) {
            problems.add(name, "must be text or a number");
            return Optional.empty();
        }
        return Optional.of(value.asText());
    }

    /**
     * The model after the change.
     *
     * @param fingerprints whether prompts may be looked at, which some policies need
     * @throws ConfigError if the policy is not one that can be made
     */
    public ModelConfig applyTo(ModelConfig model, boolean fingerprints) {
        Map<String, String> parameters = new LinkedHashMap<>(policy.orElse(model.policyParameters()));
        String name = policy.isPresent() ? parameters.remove(NAME) : model.policy();
        threshold.ifPresent(t -> parameters.put(THRESHOLD, t));
        Problems problems = new Problems("the change");
        try {
            if (Policies.create(name, parameters, model.maxNumSeqs()).needs().prompt() && !fingerprints) {
                problems.add("policy", "'" + name + "' decides by what prompts say: it needs prompt.fingerprint");
            }
        } catch (PolicyError e) {
            boolean own = threshold.isPresent() && e.key().equals(THRESHOLD);
            problems.add(own ? THRESHOLD : "policy." + e.key(), e.getMessage());
        }
        problems.throwIfAny();
        return new ModelConfig(
                model.name(), model.maxNumSeqs(), affinity.orElse(model.affinity()), name, parameters, model.replicas());
    }
}

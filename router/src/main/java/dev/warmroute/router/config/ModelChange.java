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
import java.util.regex.Pattern;

/**
 * A change to a model of a running router, as JSON: {@code policy} and {@code affinity} as {@code router.yaml} has them,
 * {@code overflow_threshold} for that parameter alone; what is left out stays. {@code by} and {@code check_hash} say where the
 * change comes from, {@code in_force} what it is meant for.
 *
 * @param by {@code admin} or {@code promote}
 * @param checkHash hash of the check that the policy passed: SHA-256 in hex, there for {@code promote} and only then
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

    private static final String ADMIN = "admin";
    private static final String PROMOTE = "promote";
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

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
        String by = text(model, "by", problems).orElse(ADMIN);
        Optional<String> threshold = text(model, THRESHOLD, problems);
        Optional<String> checkHash = text(model, "check_hash", problems);
        checkSource(by, checkHash, names.contains("policy"), problems);
        Optional<String> inForce = text(model, IN_FORCE, problems);
        model.retain("policy", "affinity");
        ConfigSection section = new ConfigSection(model, "", "models[]", problems);
        ModelChange change = new ModelChange(
                section.has(ConfigKey.MODEL_POLICY)
                        ? Optional.of(section.namedWithParameters(ConfigKey.MODEL_POLICY))
                        : Optional.empty(),
                threshold,
                section.has(ConfigKey.MODEL_AFFINITY)
                        ? Optional.of(section.isOn(ConfigKey.MODEL_AFFINITY))
                        : Optional.empty(),
                by,
                checkHash,
                inForce);
        problems.throwIfAny();
        return change;
    }

    /** What is recorded of a change's source is what the gate says of it. */
    private static void checkSource(String by, Optional<String> checkHash, boolean policy, Problems problems) {
        if (by.equals(PROMOTE) && !policy) {
            problems.add("by", "promote goes with the policy that was checked");
        } else if (!by.equals(PROMOTE) && !by.equals(ADMIN)) {
            problems.add("by", "must be admin or promote, not '" + by + "'");
        }
        if (by.equals(PROMOTE)
                && checkHash.filter(h -> SHA_256.matcher(h).matches()).isEmpty()) {
            problems.add("check_hash", "must be there for promote: 64 hex digits, as 'hash' of check --json");
        } else if (!by.equals(PROMOTE) && checkHash.isPresent()) {
            problems.add("check_hash", "goes with by: promote alone");
        }
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
                model.name(),
                model.maxNumSeqs(),
                affinity.orElse(model.affinity()),
                name,
                parameters,
                model.replicas());
    }
}

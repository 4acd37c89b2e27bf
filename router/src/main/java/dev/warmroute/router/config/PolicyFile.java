package dev.warmroute.router.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A routing policy in a file of its own, written as under {@code models[].policy} of {@code router.yaml}: below the key
 * {@code policy}, or alone; a name, or a map of name and parameters.
 *
 * @param name the policy's name
 * @param parameters as written; missing ones take their defaults
 */
public record PolicyFile(String name, Map<String, String> parameters) {
    private static final String POLICY = ConfigKey.MODEL_POLICY.leaf();

    public PolicyFile {
        parameters = Map.copyOf(parameters);
    }

    /**
     * Reads a file.
     *
     * @throws dev.warmroute.router.UserError if it is not one that can be made; every mistake is named with its path
     */
    public static PolicyFile read(Path file) {
        return read(YamlText.read(file), System::getenv);
    }

    static PolicyFile read(YamlText file, UnaryOperator<String> environment) {
        Problems problems = new Problems(file.name());
        ObjectNode root = underPolicy(file.tree("a policy's name"), problems);
        new EnvironmentReferences(environment, problems).expand(root, "");
        root.fieldNames().forEachRemaining(key -> {
            if (!key.equals(POLICY)) {
                problems.add(key, "does not belong here: beside '" + POLICY + "' there may be nothing else");
            }
        });
        root.retain(POLICY);
        ConfigSection section = new ConfigSection(root, "", "models[]", problems);
        Map<String, String> policy = section.namedWithParameters(ConfigKey.MODEL_POLICY);
        String name = policy.remove("name");
        section.requirePolicy(name, policy, section.count(ConfigKey.MODEL_MAX_NUM_SEQS, 1));
        problems.throwIfAny();
        return new PolicyFile(name, policy);
    }

    private static ObjectNode underPolicy(JsonNode root, Problems problems) {
        if (root.has(ConfigKey.MODELS.leaf())) {
            problems.add(
                    "", "is a router's whole configuration; give a file with a policy alone, as under models[].policy");
            problems.throwIfAny();
        }
        return root instanceof ObjectNode map && map.has(POLICY)
                ? map
                : JsonNodeFactory.instance.objectNode().set(POLICY, root);
    }
}

package dev.warmroute.router.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.warmroute.router.Nearest;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.PolicyError;
import dev.warmroute.router.policy.RoutingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * One map of the file. Each accessor returns the value, or the key's default when the value is missing or wrong; what is
 * wrong goes to the list of problems, so that reading goes on and finds the rest.
 */
final class ConfigSection {
    private final JsonNode node;
    /** Path as written, with indices. */
    private final String path;

    private final Problems problems;

    /**
     * @param pattern path of this map among the keys, with {@code []} for indices; unknown keys are reported at once
     */
    ConfigSection(JsonNode node, String path, String pattern, Problems problems) {
        this.path = path;
        this.problems = problems;
        if (node.isObject()) {
            this.node = node;
            reportUnknown(pattern);
        } else {
            problems.add(path.isEmpty() ? "the file" : path, "must be a map, not " + described(node));
            this.node = JsonNodeFactory.instance.objectNode();
        }
    }

    private void reportUnknown(String pattern) {
        List<String> valid = ConfigKey.leavesOf(pattern);
        node.fieldNames().forEachRemaining(name -> {
            if (!valid.contains(name)) {
                problems.add(
                        at(name),
                        "unknown key; "
                                + Nearest.to(name, valid)
                                        .map(n -> "did you mean '" + n + "'?")
                                        .orElse("valid here: " + String.join(", ", valid)));
            }
        });
    }

    String at(String leaf) {
        return path.isEmpty() ? leaf : path + '.' + leaf;
    }

    boolean has(ConfigKey key) {
        return !value(key).isNull();
    }

    private JsonNode value(ConfigKey key) {
        JsonNode value = node.get(key.leaf());
        return value == null ? JsonNodeFactory.instance.nullNode() : value;
    }

    void problem(ConfigKey key, String message) {
        problems.add(at(key.leaf()), message);
    }

    /** A problem with one entry of a map, or with the key itself where it is written as a single value. */
    void problemIn(ConfigKey key, String entry, String message) {
        problems.add(value(key).isObject() ? at(key.leaf()) + '.' + entry : at(key.leaf()), message);
    }

    /** Text; numbers are taken as they are written. Empty when missing. */
    String text(ConfigKey key) {
        return parsed(key, Optional::of, "");
    }

    Address address(ConfigKey key) {
        return parsed(key, Address::parse, new Address("", 0));
    }

    Duration duration(ConfigKey key) {
        return parsed(key, Quantities::duration, Duration.ZERO);
    }

    long size(ConfigKey key) {
        return parsed(
                key,
                t -> {
                    OptionalLong size = Quantities.size(t);
                    return size.isPresent() ? Optional.of(size.getAsLong()) : Optional.empty();
                },
                0L);
    }

    double share(ConfigKey key) {
        return parsed(
                key,
                t -> {
                    OptionalDouble share = Quantities.share(t);
                    return share.isPresent() ? Optional.of(share.getAsDouble()) : Optional.empty();
                },
                0.0);
    }

    int count(ConfigKey key, int least) {
        int value = parsed(key, ConfigSection::wholeNumber, least);
        if (value < least) {
            problem(key, "must be at least " + least + ", not " + value);
            return least;
        }
        return value;
    }

    private static Optional<Integer> wholeNumber(String text) {
        try {
            return Optional.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    boolean isOn(ConfigKey key) {
        return parsed(
                key,
                t -> switch (t) {
                    case "on", "true", "yes" -> Optional.of(true);
                    case "off", "false", "no" -> Optional.of(false);
                    default -> Optional.empty();
                },
                false);
    }

    /** A map below this one; an empty one when it is missing. */
    ConfigSection section(ConfigKey key) {
        JsonNode value = value(key);
        JsonNode map = value.isNull() ? JsonNodeFactory.instance.objectNode() : value;
        return new ConfigSection(map, at(key.leaf()), key.path(), problems);
    }

    /** The maps of a list; a required list must have at least one. */
    List<ConfigSection> sections(ConfigKey key) {
        List<ConfigSection> out = new ArrayList<>();
        for (JsonNode element : list(key)) {
            out.add(new ConfigSection(element, at(key.leaf()) + '[' + out.size() + ']', key.path() + "[]", problems));
        }
        return out;
    }

    /** The texts of a list. */
    List<String> texts(ConfigKey key) {
        List<String> out = new ArrayList<>();
        for (JsonNode element : list(key)) {
            if (element.isValueNode() && !element.isNull()) {
                out.add(element.asText());
            } else {
                problems.add(at(key.leaf()) + '[' + out.size() + ']', "must be text, not " + described(element));
            }
        }
        return out;
    }

    private JsonNode list(ConfigKey key) {
        JsonNode value = value(key);
        if (value.isArray()) {
            if (key.required() && value.isEmpty()) {
                problem(key, "needs at least one entry");
            }
            return value;
        }
        if (!value.isNull()) {
            problem(key, "must be a list, not " + described(value));
        } else if (key.required()) {
            problem(key, "is missing; it is " + key.meaning());
        }
        return JsonNodeFactory.instance.arrayNode();
    }

    /** Keys and values of a free map, in the order of the file. */
    Map<String, String> properties(ConfigKey key) {
        return properties(at(key.leaf()), value(key));
    }

    private Map<String, String> properties(String at, JsonNode map) {
        Map<String, String> out = new LinkedHashMap<>();
        if (map.isNull()) {
            return out;
        }
        if (!map.isObject()) {
            problems.add(at, "must be a map of texts, not " + described(map));
            return out;
        }
        map.properties().forEach(e -> {
            if (e.getValue().isValueNode() && !e.getValue().isNull()) {
                out.put(e.getKey(), e.getValue().asText());
            } else {
                problems.add(at + '.' + e.getKey(), "must be text or a number, not " + described(e.getValue()));
            }
        });
        return out;
    }

    /** A value that is a name alone, or a map with {@code name} and parameters: name under the key {@code name}. */
    Map<String, String> namedWithParameters(ConfigKey key) {
        JsonNode value = value(key);
        if (!value.isObject()) {
            return new LinkedHashMap<>(Map.of("name", text(key)));
        }
        Map<String, String> out = properties(at(key.leaf()), value);
        if (!out.containsKey("name")) {
            problem(key, "needs 'name', the policy's name");
            out.put("name", key.byDefault());
        }
        return out;
    }

    /** The policy of a name and parameters that were read from this map; empty, with a problem, if there is none such. */
    Optional<RoutingPolicy> requirePolicy(String name, Map<String, String> parameters, int maxNumSeqs) {
        try {
            return Optional.of(Policies.create(name, parameters, maxNumSeqs));
        } catch (PolicyError e) {
            problemIn(ConfigKey.MODEL_POLICY, e.key(), e.getMessage());
            return Optional.empty();
        }
    }

    private <T> T parsed(ConfigKey key, Function<String, Optional<T>> parser, T nothing) {
        JsonNode value = value(key);
        T byDefault = key.byDefault().isEmpty()
                ? nothing
                : parser.apply(key.byDefault()).orElseThrow();
        if (value.isNull()) {
            if (key.required()) {
                problem(key, "is missing; it is " + key.meaning());
            }
            return byDefault;
        }
        Optional<T> parsed = value.isValueNode() ? parser.apply(value.asText()) : Optional.empty();
        if (parsed.isEmpty()) {
            problem(key, "must be " + key.type().expected() + ", not " + described(value));
        }
        return parsed.orElse(byDefault);
    }

    private static String described(JsonNode node) {
        if (node.isObject()) {
            return "a map";
        }
        if (node.isArray()) {
            return "a list";
        }
        return node.isNull() ? "empty" : "'" + node.asText() + "'";
    }
}

package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.warmroute.router.Nearest;
import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of a grid file with the path to it.
 *
 * @param file name of the file, for messages
 * @param path as written, such as {@code engines[1].vllm}; empty at the top
 */
record GridNode(String file, String path, JsonNode json) {
    private static final Pattern RANGE =
            Pattern.compile("(\\d{1,9})\\s*\\.\\.\\s*(\\d{1,9})(?:\\s+(step|times)\\s+(\\d{1,9}))?");
    private static final int MOST_OF_A_RANGE = 100_000;

    GridError wrong(String message) {
        return new GridError(file, path, message);
    }

    /** Does something with this value; what it refuses is told with the path. */
    <T> T at(Function<GridNode, T> reading) {
        try {
            return reading.apply(this);
        } catch (GridError located) {
            throw located;
        } catch (UserError e) {
            throw new GridError(file, path, e);
        }
    }

    /** Refuses keys that mean nothing here, with the nearest that does. */
    void requireKeys(List<String> valid) {
        if (!json.isObject()) {
            throw wrong("expected a map of keys, not " + described());
        }
        json.fieldNames().forEachRemaining(name -> {
            if (!valid.contains(name)) {
                throw new GridError(
                        file,
                        child(name),
                        "unknown key; "
                                + Nearest.to(name, valid)
                                        .map(n -> "did you mean '" + n + "'?")
                                        .orElse("valid here: " + String.join(", ", valid)));
            }
        });
    }

    private String child(String name) {
        return path.isEmpty() ? name : path + '.' + name;
    }

    /** The value of a key of a map; empty if it has none. */
    Optional<GridNode> key(String name) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? Optional.empty() : Optional.of(new GridNode(file, child(name), value));
    }

    /** All keys of a map, in the file's order. */
    Map<String, GridNode> keys() {
        Map<String, GridNode> all = new LinkedHashMap<>();
        json.fieldNames().forEachRemaining(name -> all.put(name, new GridNode(file, child(name), json.get(name))));
        return all;
    }

    /** The elements of a list, or the value itself; a range is as many values. */
    List<GridNode> elements() {
        if (!json.isArray()) {
            return range();
        }
        if (json.isEmpty()) {
            throw wrong("is an empty list: name at least one value, or leave the key out");
        }
        List<GridNode> all = new ArrayList<>();
        for (int i = 0; i < json.size(); i++) {
            all.addAll(new GridNode(file, path + '[' + i + ']', json.get(i)).range());
        }
        return all;
    }

    private List<GridNode> range() {
        Matcher m = json.isTextual() ? RANGE.matcher(json.asText().strip()) : RANGE.matcher("");
        if (!m.matches()) {
            return List.of(this);
        }
        long low = Long.parseLong(m.group(1));
        long high = Long.parseLong(m.group(2));
        boolean times = "times".equals(m.group(3));
        long by = m.group(4) == null ? 1 : Long.parseLong(m.group(4));
        if (low > high || by < (times ? 2 : 1) || times && low < 1) {
            throw wrong("'" + json.asText()
                    + "' is no range: write 1..10, 8..64 step 8, or 8..512 times 2, from low to high");
        }
        List<GridNode> all = new ArrayList<>();
        for (long v = low; v <= high; v = times ? v * by : v + by) {
            if (all.size() == MOST_OF_A_RANGE) {
                throw wrong("'" + json.asText() + "' has more than " + MOST_OF_A_RANGE + " values");
            }
            all.add(new GridNode(file, path, LongNode.valueOf(v)));
        }
        return all;
    }

    /** One value as text. Of a number with a point it is what YAML makes of it: 0.10 is 0.1. */
    String text() {
        if (!json.isValueNode() || json.isNull()) {
            throw wrong("expected one value, not " + described());
        }
        return json.asText().strip();
    }

    /** A whole number from a least one on. */
    int whole(int least) {
        String text = text();
        if (!text.matches("\\d{1,10}") || Long.parseLong(text) < least || Long.parseLong(text) > Integer.MAX_VALUE) {
            throw wrong("expected a whole number from " + least + " on, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    OptionalInt wholeOf(String key, int least) {
        Optional<GridNode> value = key(key);
        return value.isPresent() ? OptionalInt.of(value.get().whole(least)) : OptionalInt.empty();
    }

    private String described() {
        return switch (json.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT -> "a map";
            case NULL, MISSING -> "nothing";
            default -> "'" + json.asText() + "'";
        };
    }
}

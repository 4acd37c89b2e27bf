package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.KvLayout;
import dev.warmroute.simulator.kv.Names;
import dev.warmroute.simulator.kv.ServedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads a {@link FleetDescription} from {@code key=value,key=value} or from a YAML file with the same keys.
 *
 * <p>Contexts are prompts in tokens, the shared prefix included. {@code context} is their mean over a session's turns and
 * {@code context_p95} their 95th percentile; without it every context is the mean. With {@code growth} a session grows by so
 * many tokens a turn from {@code shared + growth} up to {@code context}: the mean is in the middle between, and the 95th
 * percentile 5 % of the way below the end.
 */
public final class DescriptionParser {
    private static final double P95 = 0.95;

    /** The keys, in the order of the help. */
    enum Key {
        REPLICAS,
        SESSIONS,
        CONTEXT,
        CONTEXT_P95,
        SHARED,
        GROWTH,
        OUTPUT,
        OUTPUT_P95,
        CAPACITY_TOKENS,
        USABLE_BLOCKS,
        BLOCK_SIZE,
        MODEL,
        GPU,
        DTYPE,
        KV_DTYPE,
        TENSOR_PARALLEL,
        GPU_MEMORY_UTILIZATION,
        MAX_NUM_SEQS,
        MAX_NUM_BATCHED_TOKENS,
        MAX_MODEL_LEN,
        CPU_OFFLOAD_GIB,
        TIMING,
        GROWTH_PER_DAY;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Names<Key> KEYS = new Names<>("key", Set.of());

    static {
        for (Key key : Key.values()) {
            KEYS.add(key.word(), List.of(), key);
        }
    }

    /** What only says something of a model on a card. */
    private static final List<Key> OF_THE_MODEL =
            List.of(Key.DTYPE, Key.KV_DTYPE, Key.TENSOR_PARALLEL, Key.GPU_MEMORY_UTILIZATION, Key.MAX_MODEL_LEN);

    private final Map<Key, String> values = new LinkedHashMap<>();
    /** What messages call the description. */
    private final String where;

    private DescriptionParser(String where) {
        this.where = where;
    }

    /** The keys that a description may have. */
    public static List<String> keys() {
        return KEYS.all();
    }

    /**
     * Reads a description.
     *
     * @param text {@code key=value,...}, or the name of a file that ends in .yaml or .yml
     * @throws UserError naming what is wrong: an unknown key with the nearest, a value that is no number, what is missing
     */
    public static FleetDescription parse(String text) {
        boolean file = text.endsWith(".yaml") || text.endsWith(".yml");
        DescriptionParser parser = new DescriptionParser(file ? text : "description");
        if (file) {
            parser.readYaml(Path.of(text));
        } else {
            parser.readList(text);
        }
        return parser.description();
    }

    private void readList(String text) {
        for (String entry : text.split(",")) {
            int equals = entry.indexOf('=');
            if (equals < 0) {
                throw new UserError(
                        where + ": '" + entry.strip() + "' is not key=value (entries are separated by commas, so"
                                + " numbers are written without them)");
            }
            put(entry.substring(0, equals).strip(), entry.substring(equals + 1).strip());
        }
    }

    private void readYaml(Path file) {
        JsonNode root;
        try {
            root = new YAMLMapper().readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new UserError(
                    file + " is not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
        if (!root.isObject()) {
            throw new UserError(file + ": expected a description, one 'key: value' a line");
        }
        root.properties().forEach(field -> {
            if (!field.getValue().isValueNode()) {
                throw new UserError(file + ": " + field.getKey() + " must be one value");
            }
            put(field.getKey(), field.getValue().asText());
        });
    }

    private void put(String word, String value) {
        Key key;
        try {
            key = KEYS.named(word);
        } catch (UserError e) {
            throw new UserError(where + ": " + e.getMessage(), e);
        }
        if (value.isEmpty()) {
            throw new UserError(where + ": " + key.word() + " has no value");
        }
        if (values.put(key, value) != null) {
            throw new UserError(where + ": " + key.word() + " is given twice");
        }
    }

    private FleetDescription description() {
        return new FleetDescription(
                number(Key.REPLICAS).orElse(1),
                demand(),
                number(Key.BLOCK_SIZE).orElse(KvLayout.DEFAULT_BLOCK_SIZE),
                positive(Key.CAPACITY_TOKENS),
                number(Key.USABLE_BLOCKS),
                served(),
                number(Key.MAX_NUM_SEQS),
                number(Key.MAX_NUM_BATCHED_TOKENS),
                text(Key.TIMING),
                decimal(Key.GROWTH_PER_DAY),
                decimal(Key.CPU_OFFLOAD_GIB));
    }

    private Demand demand() {
        long context = positive(Key.CONTEXT).orElseThrow(() -> missing(Key.CONTEXT, "the prompt of a turn, in tokens"));
        long shared = whole(Key.SHARED, 0).orElse(0L);
        int sessions = fits(Key.SESSIONS, whole(Key.SESSIONS, 0).orElse(0L));
        double output = whole(Key.OUTPUT, 0).orElse(0L);
        double outputP95 = whole(Key.OUTPUT_P95, 0).map(Long::doubleValue).orElse(output);
        double mean = context;
        double p95 = positive(Key.CONTEXT_P95).map(Long::doubleValue).orElse(mean);
        Optional<Long> growth = positive(Key.GROWTH);
        if (growth.isPresent()) {
            if (values.containsKey(Key.CONTEXT_P95)) {
                throw new UserError(where + ": with growth the contexts are known: leave out context_p95");
            }
            double first = Math.min(context, shared + (double) growth.get());
            mean = (first + context) / 2;
            p95 = first + P95 * (context - first);
        }
        return new Demand(sessions, shared, mean, p95, output, outputP95);
    }

    private Optional<ServedModel> served() {
        if (!values.containsKey(Key.MODEL) && !values.containsKey(Key.GPU)) {
            for (Key key : OF_THE_MODEL) {
                if (values.containsKey(key)) {
                    throw new UserError(where + ": " + key.word() + " says nothing without model and gpu");
                }
            }
            return Optional.empty();
        }
        return Optional.of(ServedModel.of(new ServedModel.Asked(
                text(Key.MODEL).orElseThrow(() -> missing(Key.MODEL, "the model on the " + values.get(Key.GPU))),
                text(Key.GPU).orElseThrow(() -> missing(Key.GPU, "the card of " + values.get(Key.MODEL))),
                text(Key.KV_DTYPE),
                text(Key.DTYPE),
                number(Key.TENSOR_PARALLEL),
                decimal(Key.GPU_MEMORY_UTILIZATION),
                number(Key.MAX_NUM_SEQS),
                number(Key.MAX_NUM_BATCHED_TOKENS),
                number(Key.MAX_MODEL_LEN),
                number(Key.BLOCK_SIZE))));
    }

    private UserError missing(Key key, String what) {
        return new UserError(where + ": " + key.word() + " is missing: " + what);
    }

    private Optional<String> text(Key key) {
        return Optional.ofNullable(values.get(key));
    }

    private OptionalInt number(Key key) {
        Optional<Long> value = positive(key);
        return value.isEmpty() ? OptionalInt.empty() : OptionalInt.of(fits(key, value.get()));
    }

    private int fits(Key key, long value) {
        if (value > Integer.MAX_VALUE) {
            throw new UserError(
                    where + ": " + key.word() + " is '" + value + "', expected at most " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private Optional<Long> positive(Key key) {
        return whole(key, 1);
    }

    private Optional<Long> whole(Key key, long least) {
        return text(key).map(value -> {
            if (!value.matches("\\d{1,15}") || Long.parseLong(value) < least) {
                throw new UserError(where + ": " + key.word() + " is '" + value + "', expected a whole number from "
                        + least + " on");
            }
            return Long.parseLong(value);
        });
    }

    private OptionalDouble decimal(Key key) {
        if (!values.containsKey(key)) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(values.get(key)));
        } catch (NumberFormatException e) {
            throw new UserError(where + ": " + key.word() + " is '" + values.get(key) + "', expected a number", e);
        }
    }
}

package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.io.Reader;
import java.util.List;
import java.util.Set;

/** The models that warmroute knows, from {@code models.csv} beside this class. */
public final class Models {
    /** Words in a model's name that do not change its shape. */
    private static final Set<String> SHAPELESS = Set.of(
            "instruct",
            "it",
            "chat",
            "hf",
            "thinking",
            "base",
            "meta",
            "nvidia",
            "fp8",
            "bf16",
            "fp16",
            "nvfp4",
            "fp4",
            "mxfp4",
            "awq",
            "gptq",
            "int4",
            "int8",
            "w4a16",
            "w8a8",
            "autoround",
            "4bit",
            "8bit",
            "dynamic",
            "block");

    private static final Names<ModelSpec> TABLE = names(CsvTable.resource("models.csv"));

    private Models() {}

    /** Returns the model with this name (as served, with or without organisation and quantisation), or refuses. */
    public static ModelSpec named(String name) {
        return TABLE.named(name);
    }

    public static boolean contains(String name) {
        return TABLE.contains(name);
    }

    public static List<ModelSpec> all() {
        return TABLE.entries();
    }

    /**
     * Reads a table of the same format, for models that are not in ours.
     *
     * @param file its name, for messages
     * @throws UserError naming file, row and field if a row cannot be read
     */
    public static Names<ModelSpec> read(String file, Reader reader) {
        return names(CsvTable.read(file, reader));
    }

    private static Names<ModelSpec> names(CsvTable table) {
        Names<ModelSpec> names = new Names<>("model", SHAPELESS);
        for (CsvTable.Row row : table.rows()) {
            try {
                ModelSpec model = model(row);
                names.add(model.name(), model.aliases(), model);
            } catch (IllegalArgumentException e) {
                throw new UserError(row.where() + ": " + e.getMessage(), e);
            }
        }
        return names;
    }

    private static ModelSpec model(CsvTable.Row row) {
        return new ModelSpec(
                row.required("name"),
                row.list("aliases"),
                attention(row),
                row.integer("heads"),
                row.integer("hidden"),
                row.integer("intermediate"),
                row.integer("vocab"),
                new ModelSpec.Experts(
                        row.integer("expert_layers"),
                        row.integer("experts"),
                        row.integer("experts_per_token"),
                        row.integer("expert_intermediate")),
                row.number("parameters_b") * 1e9,
                row.flag("tied_embeddings"),
                row.required("confidence"),
                row.required("source"));
    }

    private static AttentionLayout attention(CsvTable.Row row) {
        String layout = row.required("layout");
        return switch (layout) {
            case "uniform" ->
                new AttentionLayout.Uniform(row.integer("layers"), row.integer("kv_heads"), row.integer("head_dim"));
            case "latent" -> new AttentionLayout.Latent(row.integer("layers"), row.integer("head_dim"));
            case "sliding" ->
                new AttentionLayout.Sliding(
                        row.integer("full_layers"),
                        row.integer("sliding_layers"),
                        row.integer("sliding_window"),
                        row.integer("kv_heads"),
                        row.integer("head_dim"));
            case "gated_delta" ->
                new AttentionLayout.GatedDelta(
                        row.integer("full_layers"),
                        row.integer("kv_heads"),
                        row.integer("head_dim"),
                        row.integer("state_layers"),
                        row.integer("state_key_heads"),
                        row.integer("state_value_heads"),
                        row.integer("state_dim"),
                        row.integer("state_conv"));
            default ->
                throw row.wrong("layout", "is '" + layout + "', expected uniform, latent, sliding or gated_delta");
        };
    }
}

package dev.warmroute.simulator.kv;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How weights are stored. Quantised checkpoints keep the embedding and the output head in 16 bits, so the bytes per
 * parameter hold for everything else.
 */
public enum WeightDtype {
    BF16("bf16", 2, List.of("auto", "bfloat16", "fp16", "float16", "half")),
    FP8("fp8", 1, List.of("fp8_e4m3", "w8a8")),
    INT8("int8", 1, List.of("w8a16")),
    /** AWQ and GPTQ: 4 bits and a 16-bit scale and zero point for each group of 128. */
    INT4("int4", 0.53125, List.of("awq", "gptq", "w4a16", "autoround")),
    /** 4 bits and an 8-bit scale for each group of 16. */
    NVFP4("nvfp4", 0.5625, List.of("fp4")),
    /** 4 bits and an 8-bit scale for each group of 32. */
    MXFP4("mxfp4", 0.53125, List.of());

    private static final Names<WeightDtype> NAMES = new Names<>("weight type", Set.of());

    static {
        for (WeightDtype dtype : values()) {
            NAMES.add(dtype.wireName, dtype.aliases, dtype);
        }
    }

    private final String wireName;
    private final double bytesPerParameter;
    private final List<String> aliases;

    WeightDtype(String wireName, double bytesPerParameter, List<String> aliases) {
        this.wireName = wireName;
        this.bytesPerParameter = bytesPerParameter;
        this.aliases = aliases;
    }

    /** Returns the type with this name, or refuses with the nearest names. */
    public static WeightDtype named(String name) {
        return NAMES.named(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the type that a model's name mentions, as in "Qwen3-4B-FP8" or "Qwen3-32B-AWQ"; empty if it mentions none. */
    public static Optional<WeightDtype> inName(String modelName) {
        for (String word : modelName.toLowerCase(Locale.ROOT).split("[^a-z0-9]+")) {
            if (!word.isEmpty() && NAMES.contains(word)) {
                return Optional.of(NAMES.named(word));
            }
        }
        return Optional.empty();
    }

    public String wireName() {
        return wireName;
    }

    public double bytesPerParameter() {
        return bytesPerParameter;
    }
}

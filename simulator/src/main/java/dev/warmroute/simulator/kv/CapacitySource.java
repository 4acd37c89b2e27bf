package dev.warmroute.simulator.kv;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Where a capacity comes from, the most trustworthy first. */
public enum CapacitySource {
    /** The engine said it: {@code num_gpu_blocks} of {@code vllm:cache_config_info}, or its start-up log. */
    REPORTED,
    /** A person said it. */
    GIVEN,
    /** Worked out from model, card and settings. */
    DERIVED;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    public static CapacitySource of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}

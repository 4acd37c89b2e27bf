package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.event.EventCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WhatIfResultTest {
    private static final ObjectMapper MAPPER = EventCodec.mapper();

    private static final PolicyRow ROW = new PolicyRow(
            "warden",
            10,
            1000,
            OptionalLong.of(250),
            OptionalDouble.of(25),
            OptionalDouble.of(1200.5),
            OptionalDouble.of(0.25),
            OptionalDouble.of(1.5),
            OptionalDouble.of(3.5),
            OptionalDouble.empty(),
            OptionalLong.of(2),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalLong.of(1),
            new TreeMap<>(Map.of("hit_pct", new Interval(24, 26))),
            new TreeMap<>(Map.of("first_turn", 750L)),
            new TreeMap<>(Map.of("balanced", 10L)));
    private static final WhatIfResult RESULT = new WhatIfResult(
            new TraceSummary("mooncake:x.jsonl", "", 10, 0, 10, 1000, 50, 60),
            Optional.of(new FleetSummary(
                    "open",
                    "recorded",
                    OptionalInt.empty(),
                    4,
                    16,
                    OptionalInt.empty(),
                    "unlimited",
                    "h100-8b",
                    10,
                    1)),
            0.5,
            "range over 10 seeds",
            List.of(ROW));

    @Test
    void hasTheFieldNamesThatTheCommandPromises() {
        JsonNode json = MAPPER.valueToTree(RESULT);
        assertThat(json.fieldNames()).toIterable().contains("trace", "wall_s", "policies");
        assertThat(json.path("policies").path(0).fieldNames())
                .toIterable()
                .contains(
                        "policy",
                        "requests",
                        "prompt_tokens",
                        "cached_tokens",
                        "hit_pct",
                        "output_tokens_per_min",
                        "ttft_p50_s",
                        "ttft_p95_s",
                        "replicas_busy",
                        "stayed_pct",
                        "preemptions",
                        "session_p50_s",
                        "session_p95_s",
                        "interval",
                        "misses");
    }

    @Test
    void whatWasNotComputedIsNullAndAnIntervalIsAPair() {
        JsonNode row = MAPPER.valueToTree(RESULT).path("policies").path(0);
        assertThat(row.path("stayed_pct").isNull()).isTrue();
        assertThat(row.path("interval").path("hit_pct").toString()).isEqualTo("[24.0,26.0]");
        assertThat(row.path("misses").path("first_turn").asLong()).isEqualTo(750);
    }

    @Test
    void readsBackWhatItWrote() throws Exception {
        String text = MAPPER.writeValueAsString(RESULT);
        assertThat(MAPPER.readValue(text, WhatIfResult.class)).isEqualTo(RESULT);
    }
}

package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CapacityResultTest {
    private static final ObjectMapper MAPPER = EventCodec.mapper();

    @Test
    void partsThatNeedAFleetAreNullWithoutOne() {
        CapacityResult result = new CapacityResult(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.of(new ReuseCurve(288_500, 182_790, List.of(new ReuseCurve.Point(512_000, 4.5933)))),
                Optional.empty());
        JsonNode json = MAPPER.valueToTree(result);
        for (String field : List.of("verdict", "sessions_fit", "limit", "rule", "simulation")) {
            assertThat(json.has(field)).as(field).isTrue();
            assertThat(json.path(field).isNull()).as(field).isTrue();
        }
        assertThat(json.path("reuse").toString())
                .isEqualTo("{\"block_references\":288500,\"distinct_blocks\":182790,"
                        + "\"curve\":[{\"capacity_tokens\":512000,\"hit_pct\":4.5933}]}");
    }

    @Test
    void readsBackWhatItWrote() throws Exception {
        RuleLedger rule = new RuleLedger(
                new RuleLedger.Machine(4, 2, 100, 5, 20, 22, .8, .9, 4, 3, 10, 9, 8, 8, 6, 12.5),
                List.of(new RuleLedger.Replica("r0", 2, 50, 40, 45, .8, .9, 3, 2, 10)));
        CapacityResult result = new CapacityResult(
                Optional.empty(),
                Optional.of(Verdict.DOES_NOT_FIT),
                Optional.of(new SessionsFit(6, 8)),
                Optional.of(Limit.CACHE),
                "given",
                Optional.of(rule),
                Optional.empty(),
                Optional.empty());
        String text = MAPPER.writeValueAsString(result);
        assertThat(text)
                .contains(
                        "\"verdict\":\"does_not_fit\"",
                        "\"sessions_fit\":{\"low\":6,\"high\":8}",
                        "\"limit\":\"cache\"");
        assertThat(MAPPER.readValue(text, CapacityResult.class)).isEqualTo(result);
    }
}

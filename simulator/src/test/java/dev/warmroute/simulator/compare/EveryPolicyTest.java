package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Data;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is registered can be replayed, on traffic of every shape, to the same bytes on any number of threads. */
class EveryPolicyTest {
    private static final List<PolicyChoice> ALL = Arrays.stream(Policies.values())
            .map(p -> PolicyChoice.of(p.policyName()))
            .toList();

    @ParameterizedTest
    @CsvSource({
        "mooncake:, mooncake/conversation_trace.jsonl, OPEN, 300, 8000",
        "claude-code:, claude-code/claude_code_ctx64k_b512.jsonl, CLOSED, 200, 10000",
        "claude-code:, claude-code/claude_code_ctx64k_b512.jsonl, SERIAL, 200, 10000",
    })
    void everyPolicyReplaysEveryTrace(String format, String file, Subject.Mode mode, int requests, int usableBlocks)
            throws JsonProcessingException {
        TraceSource.Trace read = TraceSource.read(format + Data.file(file));
        List<Turn> turns = read.turns().subList(0, requests);
        TraceLoad load = new TraceLoad(turns);
        Subject subject = new Subject.OfTrace(TraceSummary.of(file, "", turns, load.index()), load, mode, 0);
        FleetSpec fleet =
                FleetSpec.of(4, EngineConfig.defaults().withUsableBlocks(usableBlocks), TimingPresets.DEFAULT.preset());

        WhatIfResult alone = run(subject, fleet, 1);
        assertThat(bytes(run(subject, fleet, 3))).isEqualTo(bytes(alone));
        for (PolicyRow row : alone.policies()) {
            assertThat(row.requests()).as(row.policy()).isEqualTo(requests);
            assertThat(row.hitPct().orElseThrow()).as(row.policy()).isBetween(0.0, 100.0);
        }
    }

    @Test
    void whatPromptsSayKeepsConversationsTogetherWithoutKnowingThem() {
        TraceSource.Trace read =
                TraceSource.read("claude-code:" + Data.file("claude-code/claude_code_ctx64k_b512.jsonl"));
        List<Turn> turns = read.turns().subList(0, 400);
        TraceLoad load = new TraceLoad(turns);
        Subject subject =
                new Subject.OfTrace(TraceSummary.of("", "", turns, load.index()), load, Subject.Mode.SERIAL, 0);
        WhatIfResult result = run(subject, FleetSpec.of(4, EngineConfig.defaults(), TimingPresets.DEFAULT.preset()), 1);
        for (String policy :
                List.of("sgl_cache_aware", "llmd_agentic", "dynamo_lmetric", "aibrix_prefix", "soft_affinity_2x")) {
            assertThat(hits(result, policy)).as(policy).isGreaterThan(hits(result, "warden") - 5);
        }
        assertThat(hits(result, "oracle")).isGreaterThan(hits(result, "warden"));
        assertThat(hits(result, "random")).isLessThan(hits(result, "warden") - 5);
    }

    private static double hits(WhatIfResult result, String policy) {
        return result.row(policy).orElseThrow().hitPct().orElseThrow();
    }

    private static WhatIfResult run(Subject subject, FleetSpec fleet, int threads) {
        return WhatIf.run(new WhatIfRequest(subject, fleet, "given", "h100-8b", ALL, 2, threads), Progress.NONE);
    }

    private static String bytes(WhatIfResult result) throws JsonProcessingException {
        return EventCodec.mapper()
                .writeValueAsString(new WhatIfResult(
                        result.trace(),
                        result.fleet(),
                        0,
                        result.intervals(),
                        result.policies(),
                        result.comparison(),
                        result.selfReplay(),
                        result.notes()));
    }
}

package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.SharedData;
import org.junit.jupiter.api.Test;

class TurnSummaryTest {
    /** Figures as published for the trace. */
    @Test
    void aTraceIsSummedUp() {
        try (TraceReader reader =
                TraceSource.open("mooncake:" + SharedData.file("mooncake/conversation_trace.jsonl"))) {
            TurnSummary s = TurnSummary.of(reader);
            assertThat(s.requests()).isEqualTo(12_031);
            assertThat(s.promptTokens()).isEqualTo(144_793_823);
            assertThat(s.promptP50()).isEqualTo(6_909);
            assertThat(s.promptP90()).isCloseTo(27_367, within(30L));
            assertThat(s.promptMax()).isEqualTo(126_195);
            assertThat(s.outputP50()).isEqualTo(350);
            assertThat(s.seconds()).isCloseTo(3_537, within(1.0));
            assertThat(s.sessions()).isZero();
            assertThat(s.cachedTokens()).isEqualTo(-1);
            assertThat(s.description().rows()).isEqualTo(12_031);
        }
    }

    @Test
    void sessionsAndAgentsAreCounted() {
        try (TraceReader reader =
                TraceSource.open("claude-code:" + SharedData.file("claude-code/claude_code_requests_rle.jsonl.gz"))) {
            TurnSummary s = TurnSummary.of(reader);
            assertThat(s.sessions()).isEqualTo(710);
            assertThat(s.agents()).isEqualTo(63);
            assertThat(s.gaps()).isEqualTo(49_334 - 710 - 63);
        }
    }
}

package dev.warmroute.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionScriptTest {
    private static final AgentLoadOptions OPTIONS =
            AgentLoadOptions.defaults().withShape(50, 70, 20, 4, 100).withGap(2);

    @Test
    void twoArmsGetTheSameWorkUnderDifferentNames() {
        SessionScript one = new SessionScript(OPTIONS.withArm("random"), 3, 2);
        SessionScript other = new SessionScript(OPTIONS.withArm("warden").withEndpoint("http://elsewhere:1"), 3, 2);
        assertThat(one.sessionId()).isNotEqualTo(other.sessionId());
        assertThat(work(one)).isEqualTo(work(other));
        assertThat(SessionScript.systemText(one.options())).isEqualTo(SessionScript.systemText(other.options()));
    }

    @Test
    void sessionsShareTheSystemPromptAndNothingElse() {
        List<List<Object>> works = IntStream.range(0, 30)
                .mapToObj(i -> work(new SessionScript(OPTIONS, i / 5, i % 5)))
                .toList();
        assertThat(works).doesNotHaveDuplicates();
        assertThat(work(new SessionScript(OPTIONS.withSeed(2), 0, 0))).isNotEqualTo(works.getFirst());
    }

    @Test
    void lengthsAndPausesAreAsAskedFor() {
        assertThat(SessionScript.systemText(OPTIONS).split(" ")).hasSize(50);
        double output = 0;
        double gap = 0;
        for (int i = 0; i < 500; i++) {
            SessionScript script = new SessionScript(OPTIONS, i, 0);
            assertThat(script.userText(1).split(" ")).hasSize(70);
            assertThat(script.userText(2).split(" ")).hasSize(20);
            assertThat(script.outputTokens(1)).isBetween(70, 130);
            assertThat(script.gapSeconds(1)).isBetween(0.6, 3.4);
            assertThat(script.startSeconds()).isBetween(0.0, OPTIONS.staggerSeconds());
            output += script.outputTokens(1) / 500.0;
            gap += script.gapSeconds(1) / 500.0;
        }
        assertThat(output).isBetween(95.0, 105.0);
        assertThat(gap).isBetween(1.85, 2.15);
    }

    private static List<Object> work(SessionScript script) {
        return List.of(
                script.userText(1),
                script.userText(2),
                script.outputTokens(1),
                script.outputTokens(2),
                script.gapSeconds(1),
                script.gapSeconds(2),
                script.startSeconds());
    }
}

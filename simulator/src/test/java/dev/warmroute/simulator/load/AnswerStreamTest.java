package dev.warmroute.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AnswerStreamTest {
    private static final String STREAM = """
            : a comment

            data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

            data: {"choices":[{"index":0,"delta":{"content":" w1 \\"ä\\" 漢"}}]}

            data:{"choices":[{"index":0,"delta":{"content":" w2"},"finish_reason":"length"}]}

            data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":0}}}

            data: [DONE]

            """;

    @Property
    void textAndUsageAreReadWhereverTheBytesAreCut(@ForAll @IntRange(min = 1, max = 60) int size) {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        AnswerStream answer = new AnswerStream();
        for (int at = 0; at < bytes.length; at += size) {
            answer.accept(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
        }
        assertThat(answer.text()).isEqualTo(" w1 \"ä\" 漢 w2");
        assertThat(answer.problem()).isEmpty();
        assertThat(answer.promptTokens()).isEqualTo(9);
        assertThat(answer.cachedTokens()).isZero();
        assertThat(answer.completionTokens()).isEqualTo(2);
    }

    @Test
    void aBrokenOffAnswerAndAnErrorWithinOneAreProblems() {
        assertThat(read("data: {\"choices\":[]}\n\n").problem()).isEqualTo("the answer broke off before its end");
        assertThat(read("data: {\"error\":{\"message\":\"gone\"}}\n\ndata: [DONE]\n\n")
                        .problem())
                .isEqualTo("gone");
        assertThat(read("data: {oops\n\n").problem()).startsWith("an event of the answer is not JSON");
    }

    @Test
    void whatTheServerDidNotSayIsUnknown() {
        AnswerStream answer = read("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1,"
                + "\"prompt_tokens_details\":null}}\n\ndata: [DONE]\n\n");
        assertThat(answer.cachedTokens()).isEqualTo(RequestOutcome.NONE);
    }

    private static AnswerStream read(String text) {
        AnswerStream answer = new AnswerStream();
        answer.accept(text.getBytes(StandardCharsets.UTF_8));
        return answer;
    }
}

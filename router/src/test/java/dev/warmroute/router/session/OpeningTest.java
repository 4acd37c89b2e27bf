package dev.warmroute.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpeningTest {
    private static String of(String body) {
        return Opening.of(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"hello\"},{\"role\":\"user\",\"content\":\"no\"}]}|hello",
                "{\"messages\":[{\"content\":[{\"type\":\"text\",\"text\":\"he\"},{\"type\":\"image\",\"x\":{\"text\":\"no\"}},{\"text\":\"llo\"}],\"role\":\"user\"}]}|hello",
                "{\"system\":[{\"text\":\"s\"}],\"tools\":[{\"role\":\"user\"}],\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}|hello",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"<environment_context>x\"},{\"role\":\"user\",\"content\":\"hello\"}]}|hello",
                "{\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":\"<system-reminder>today is x\"},{\"text\":\"hello\"}]}]}|hello",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"Change the greeting to be more casual\"},{\"role\":\"user\",\"content\":\"I switched to a new code base. Please\"},{\"role\":\"user\",\"content\":\"hello\"}]}|hello",
                "{\"input\":\"hello\"}|hello",
                "{\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hello\"}]}]}|hello",
                "{\"prompt\":\"hello\",\"model\":\"m\"}|hello",
                "{\"prompt\":[\"hel\",\"lo\"]}|hello",
                "{\"prompt\":[1,2,[3]]}|``",
                "{\"messages\":[{\"role\":\"assistant\",\"content\":\"a\"}]}|``",
                "{\"messages\":{\"role\":\"user\"}}|``",
                "{\"messages\":[\"user\"]}|``",
                "[]|``",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"he|``",
                "not json|``",
            })
    void isTheFirstThingThatTheUserSaid(String body, String opening) {
        assertThat(of(body)).isEqualTo(opening);
    }

    @Test
    void isTheSameWhateverFollows() {
        String begin = "{\"messages\":[{\"role\":\"user\",\"content\":\"" + "long ".repeat(30_000) + "\"}";
        assertThat(of(begin + "]}"))
                .hasSize(16 * 1024)
                .isEqualTo(of(begin + ",{\"role\":\"assistant\",\"content\":\"a\"}]}"));
    }

    /** Harnesses wrap every task in the same page of words; the tasks are still different conversations. */
    @Test
    void tellsTasksApartThatBeginWithTheSamePage() {
        String page = "{\"messages\":[{\"role\":\"user\",\"content\":\"" + "I have uploaded a repository. ".repeat(100);
        assertThat(of(page + "issue 1\"}]}")).isNotEqualTo(of(page + "issue 2\"}]}"));
    }
}

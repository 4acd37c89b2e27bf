package dev.warmroute.simulator.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmPromptChoiceTest {
    private static final List<SharedPrefix> SHARED = List.of(
            new SharedPrefix("prefix 1", Prompt.of(0, 3520), 40),
            new SharedPrefix("prefix 2", Prompt.of(1L << 40, 1712), 12),
            new SharedPrefix("prefix 3", Prompt.of(2L << 40, 1690), 5));

    @TempDir
    private Path directory;

    private List<SharedPrefix> chosen(String json) throws IOException {
        Path file = Files.writeString(directory.resolve("d.json"), json);
        return WarmPromptChoice.of(file.toString()).among(SHARED, 16);
    }

    @Test
    void theBestOfTheTraceOrWhatAFileDescribesInItsOrder() throws IOException {
        assertThat(WarmPromptChoice.of("auto:2").among(SHARED, 16)).isEqualTo(SHARED.subList(0, 2));
        assertThat(WarmPromptChoice.of("auto:9").among(SHARED, 16)).isEqualTo(SHARED);
        List<SharedPrefix> chosen =
                chosen("[{\"name\": \"coder\", \"tokens\": 1700}, {\"tokens\": 1700}, {\"tokens\": 3519}]");
        assertThat(chosen).extracting(SharedPrefix::name).containsExactly("coder", "prefix 2", "prefix 1");
        assertThat(chosen)
                .extracting(s -> s.prompt().tokens())
                .as("the nearest one not taken, cut to its length")
                .containsExactly(1690, 1700, 3519);
        assertThat(chosen("[{\"tokens\": 1690, \"matches\": 2}]").get(0).firstTurns())
                .isEqualTo(12);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | expected a JSON list of 1 to 64",
                "[] | expected a JSON list of 1 to 64",
                "[ | is not JSON",
                "[[{\"role\": \"system\", \"content\": \"x\"}]] | entry [0]: a trace has no texts to find messages in",
                "[{\"messages\": []}] | entry [0]: a trace has no texts",
                "[{\"tokens\": 0}] | entry [0], tokens: expected a whole number from 1",
                "[{\"tokens\": 1.5}] | entry [0], tokens: expected a whole number",
                "[{\"tokens\": 9, \"name\": 3}] | entry [0], name: expected a text",
                "[{\"tokens\": 900}] | entry [0]: no first turns share about 900 tokens; what they share: 1: 3520 tokens of 40, 2: 1712",
                "[{\"tokens\": 3520, \"matches\": 4}] | entry [0], matches: 4 is not among what first turns share",
                "[{\"tokens\": 1700, \"matches\": 1}] | entry [0]: no first turns share about 1700 tokens",
                "[{\"tokens\": 3520}, {\"tokens\": 3520, \"matches\": 1}] | entry [1]: the prefix of 3520 tokens is taken",
            })
    void whatCannotBeMatchedIsRefusedWithEntryAndField(String json, String said) {
        assertThatThrownBy(() -> chosen(json)).isInstanceOf(UserError.class).hasMessageContaining(said);
    }

    @Test
    void aTraceThatSharesNothingHasNothingToWarm() {
        assertThatThrownBy(() -> WarmPromptChoice.of("auto:1").among(List.of(), 16))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no first turns share a block of 16 tokens");
    }
}

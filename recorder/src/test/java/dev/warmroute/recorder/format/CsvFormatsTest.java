package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known to go wrong with the traces that are tables. */
class CsvFormatsTest {
    private static final long SECOND = 1_000_000_000;
    private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
    private static final String BURST =
            "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n";
    private static final String REPLAY = "session_id,round_idx,prefix_len,input_len,output_len,tool_wait_after_ms\n";

    @TempDir
    Path dir;

    private String file(String format, String text) throws IOException {
        Path file = dir.resolve("t.csv");
        Files.writeString(file, text);
        return format + ':' + file;
    }

    private Trace read(String format, String text) throws IOException {
        return TraceSource.read(file(format, text));
    }

    @Test
    void azureHasSevenDigitsCarriageReturnsAndNoLastLineEnd() {
        Trace trace = TraceSource.read(Samples.argument("azure:azure-2023.csv"));
        assertThat(trace.turns())
                .extracting(Turn::arrivalNanos)
                .containsExactly(0L, 0L, 52_000_100L, 2_576_020_040_000L);
        assertThat(trace.turns().getLast().outputTokens()).isEqualTo(250);
        assertThat(trace.turns()
                        .get(0)
                        .prompt()
                        .commonPrefix(trace.turns().get(1).prompt()))
                .isZero();
        assertThat(trace.description().hasSessions()).isFalse();
        assertThat(trace.description().notes()).singleElement().asString().startsWith("lengths and arrivals only");
    }

    @Test
    void azureOf2024HasOffsetsAndSometimesNoFraction() {
        assertThat(TraceSource.read(Samples.argument("azure:azure-2024.csv")).turns())
                .extracting(Turn::arrivalNanos)
                .containsExactly(0L, 990_070_000L, 1_490_070_000L);
    }

    @Test
    void aByteOrderMarkQuotesSpacesAndTheImagesOfTheMultimodalTraceDoNotMatter() throws IOException {
        String text =
                "\uFEFF\"TIMESTAMP\", NumImages ,ContextTokens,GeneratedTokens\n\"2025-01-01 00:00:00\",3, 12 ,\"4\"\n\n";
        Turn turn = read("azure", text).turns().getFirst();
        assertThat(turn.prompt().tokens()).isEqualTo(12);
        assertThat(turn.outputTokens()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "16.11.2023 18:17,1,1 | field 'TIMESTAMP': expected a date and time like 2023-11-16 18:17:03.9799600, found '16.11.2023 18:17'",
                "2023-11-16 18:17:03,x,1 | field 'ContextTokens': expected a whole number from 1 to 16777216, found 'x'",
                "2023-11-16 18:17:03,0,1 | field 'ContextTokens': expected a whole number from 1 to 16777216, found '0'",
                "2023-11-16 18:17:03,5, | field 'GeneratedTokens': expected a whole number from 0 to 16777216, found nothing",
                "2023-11-16 18:17:03,5,1.5 | field 'GeneratedTokens': expected a whole number from 0 to 16777216, found '1.5'",
                "2023-11-16 18:17:03,5 | expected 3 fields as in the header, found 2",
                "2022-11-16 18:17:03,5,1 | field 'TIMESTAMP': expected a time not before that of the first row; sort the file by TIMESTAMP",
                "'\"2023-11-16 18:17:03,5,1' | a quote is opened and not closed"
            })
    void wrongAzureRowsAreNamed(String row, String message) throws IOException {
        String source = file("azure", AZURE + "2023-11-16 18:17:03,1,1\n" + row + "\n");
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.csv line 3: " + message)
                .hasMessageContaining("leave wrong rows out with --on-error skip");
        Trace skipped = new TraceSource(source, OnError.SKIP).read();
        assertThat(skipped.turns()).hasSize(1);
        assertThat(skipped.description().skipped()).isEqualTo(1);
    }

    @Test
    void aHeaderOfAnotherFormatIsRefusedAtOnce() throws IOException {
        String source = file("azure", BURST);
        assertThatThrownBy(() -> TraceSource.open(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "t.csv line 1: there is no column 'ContextTokens' in the header 'Timestamp,Session ID")
                .hasMessageContaining("is it a azure trace?");
        String empty = file("azure", "\n");
        assertThatThrownBy(() -> TraceSource.open(empty)).hasMessageContaining("is empty: it has no header");
    }

    @Test
    void burstGptStartsAnywhereAndFailuresAreLeftOut() {
        Trace trace = TraceSource.read(Samples.argument("burstgpt:burstgpt.csv"));
        assertThat(trace.turns())
                .extracting(Turn::arrivalNanos)
                .containsExactly(0L, 0L, 20 * SECOND, 21 * SECOND, 70_250_000_000L, 80 * SECOND);
        assertThat(trace.description().notes())
                .containsExactly("1 requests without response tokens failed and were left out");
        assertThat(trace.description().skipped()).isZero();
        assertThat(trace.turns()).extracting(Turn::session).containsExactly("", "s-1", "s-1", "s-2", "s-1", "s-2");
        assertThat(trace.turns()).extracting(Turn::turn).containsExactly(0, 1, 2, 1, 3, 2);
    }

    @Test
    void burstGptGapsNeedTheElapsedTimeOfTheTurnBefore() {
        Trace trace = TraceSource.read(Samples.argument("burstgpt:burstgpt.csv"));
        assertThat(trace.turns())
                .extracting(Turn::gapNanos)
                .containsExactly(-1L, -1L, 15_750_000_000L, -1L, 48_250_000_000L, -1L);
        assertThat(trace.turns().get(0).recorded().durationNanos()).isEqualTo(1_500_000_000L);
        assertThat(trace.turns().get(3).labels().model()).isEmpty();
    }

    @Test
    void aConversationIsRepeatedWhereThePromptHasRoomForIt() {
        Trace trace = TraceSource.read(Samples.argument("burstgpt:burstgpt.csv"));
        Turn second = trace.turns().get(2);
        Turn third = trace.turns().get(4);
        assertThat(second.prompt().commonPrefix(trace.turns().get(1).prompt())).isEqualTo(100);
        assertThat(second.prompt().tokenAt(100)).isEqualTo(trace.turns().get(1).outputStart());
        assertThat(third.prompt().commonPrefix(second.prompt())).isZero();
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.ASSUMED);
    }

    @Test
    void theFirstReleaseOfBurstGptHasNeitherSessionsNorElapsedTimes() throws IOException {
        Trace trace = read(
                "burstgpt",
                "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                        + "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n");
        assertThat(trace.turns()).extracting(Turn::session).containsExactly("", "");
        assertThat(trace.turns().get(1).arrivalNanos()).isEqualTo(40 * SECOND);
        assertThat(trace.description().hasSessions()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5,s,,M,10,2,13,API log | field 'Total tokens': expected 12, the sum of request and response, found '13'",
                "5,s,,M,0,2,2,API log | field 'Request tokens': expected at least 1 where there is a response, found '0'",
                "soon,s,,M,1,2,3,API log | field 'Timestamp': expected a number, found 'soon'"
            })
    void wrongBurstGptRowsAreNamed(String row, String message) throws IOException {
        String source = file("burstgpt", BURST + row + "\n");
        assertThatThrownBy(() -> TraceSource.read(source)).hasMessageContaining("t.csv line 2: " + message);
    }

    @Test
    void theInputOfAReplayIsWhatIsAppended() {
        Trace trace = TraceSource.read(Samples.argument("tracelab-replay:tracelab-replay.csv"));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(512, 704, 400, 400);
        assertThat(trace.turns()).extracting(Turn::gapNanos).containsExactly(-1L, 100_000_000L, -1L, 80_500_000L);
        assertThat(trace.turns())
                .extracting(Turn::arrivalNanos)
                .containsExactly(0L, 100_000_000L, 200_000_000L, 280_500_000L);
        assertThat(trace.turns().get(1).prompt().tokenAt(512))
                .isEqualTo(trace.turns().get(0).outputStart());
        assertThat(trace.turns()
                        .get(3)
                        .prompt()
                        .commonPrefix(trace.turns().get(2).prompt()))
                .isEqualTo(300);
    }

    @Test
    void aReplayMayNameTheSessionIdOrHaveNoArrivals() throws IOException {
        Trace ids = read(
                "tracelab-replay",
                "id,input_len,output_len,arrival_time,round_idx,tool_wait_after_ms,prefix_len\n7,10,2,5,0,0,0\n");
        assertThat(ids.turns().getFirst().session()).isEqualTo("7");
        assertThat(ids.turns().getFirst().arrivalNanos()).isEqualTo(5_000_000);
        Trace without = read("tracelab-replay", REPLAY + "7,0,30,10,2,0\n");
        assertThat(without.description().hasTimes()).isFalse();
        assertThat(without.description().notes())
                .singleElement()
                .asString()
                .startsWith("1 rounds repeat more than their conversation");
        assertThat(without.turns().getFirst().prompt().tokens()).isEqualTo(40);
    }

    @Test
    void roundsOfAReplayFollowEachOther() throws IOException {
        String source = file("tracelab-replay", REPLAY + "7,0,0,10,2,0\n7,2,12,10,2,0\n");
        assertThatThrownBy(() -> TraceSource.read(source))
                .hasMessageContaining(
                        "t.csv line 3: field 'round_idx': expected 1 as the next round of session 7, found '2'");
    }
}

package dev.warmroute.recorder.trace;

import com.jerolba.carpet.model.FieldTypes;
import com.jerolba.carpet.model.WriteRecordModelType;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The columns of the segments of an imported trace: one row a request, what {@link Turn} says. A prompt is two lists of the
 * same length, where each of its runs of tokens starts and how long it is.
 */
final class TurnSegments {
    /** Directory of the segments, and what stands for the topic in the manifest. */
    static final String DIRECTORY = "turns";

    /** Event type under which the manifest counts the rows. */
    static final String ROW = "turn";

    static final String STARTS = "prompt_starts";
    static final String LENGTHS = "prompt_lengths";
    /** Where the values of a list are, below its column. */
    static final String ELEMENTS = ".list.element";

    static final List<String> WHOLE = List.of(
            "index",
            "arrival_ns",
            "turn",
            "gap_ns",
            "output_tokens",
            "output_start",
            "replica",
            "cached_tokens",
            "ttft_ns",
            "duration_ns");
    static final List<String> TEXTS =
            List.of("session", "agent", "request_id", "parent_request_id", "parent_agent", "model", "kind", "stop");

    private TurnSegments() {}

    static WriteRecordModelType<Turn> model() {
        return FieldTypes.writeRecordModel(Turn.class)
                .withField("index", (Turn t) -> (long) t.index())
                .withField("arrival_ns", (Turn t) -> t.arrivalNanos())
                .withField("session", FieldTypes.STRING.notNull(), Turn::session)
                .withField("agent", FieldTypes.STRING.notNull(), Turn::agent)
                .withField("turn", (Turn t) -> (long) t.turn())
                .withField("gap_ns", (Turn t) -> t.gapNanos())
                .withField("prompt_tokens", (Turn t) -> (long) t.prompt().tokens())
                .withField("output_tokens", (Turn t) -> (long) t.outputTokens())
                .withField("output_start", (Turn t) -> t.outputStart())
                .withField("replica", (Turn t) -> (long) t.recorded().replica())
                .withField("cached_tokens", (Turn t) -> t.recorded().cachedTokens())
                .withField("ttft_ns", (Turn t) -> t.recorded().ttftNanos())
                .withField("duration_ns", (Turn t) -> t.recorded().durationNanos())
                .withField(
                        "request_id",
                        FieldTypes.STRING.notNull(),
                        t -> t.labels().request())
                .withField(
                        "parent_request_id",
                        FieldTypes.STRING.notNull(),
                        t -> t.labels().parent())
                .withField(
                        "parent_agent",
                        FieldTypes.STRING.notNull(),
                        t -> t.labels().parentAgent())
                .withField("model", FieldTypes.STRING.notNull(), t -> t.labels().model())
                .withField("kind", FieldTypes.STRING.notNull(), t -> t.labels().kind())
                .withField("stop", FieldTypes.STRING.notNull(), t -> t.labels().stop())
                .withField(
                        STARTS,
                        FieldTypes.LIST.ofType(FieldTypes.LONG.notNull()).notNull(),
                        t -> starts(t.prompt()))
                .withField(
                        LENGTHS,
                        FieldTypes.LIST.ofType(FieldTypes.LONG.notNull()).notNull(),
                        t -> lengths(t.prompt()));
    }

    private static List<Long> starts(Prompt prompt) {
        return IntStream.range(0, prompt.spans()).mapToObj(prompt::start).toList();
    }

    private static List<Long> lengths(Prompt prompt) {
        return IntStream.range(0, prompt.spans())
                .mapToObj(i -> (long) prompt.length(i))
                .toList();
    }
}

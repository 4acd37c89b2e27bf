package dev.warmroute.recorder.format;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * AIPerf's {@code mooncake_trace}: Mooncake rows of which nearly everything may be missing: {@code timestamp} and {@code delay}
 * in milliseconds, {@code output_length}, {@code hash_ids}, {@code session_id}; the prompt is {@code input_length}, {@code
 * text_input} or {@code messages}. Rows of a session are its turns. A row with {@code hash_ids} or {@code messages} is a whole
 * prompt; one with a length or a text only is what the turn adds to its session, as AIPerf sends it. Without an answer's length
 * it counts as one token. Of texts only sizes and equality are taken ({@link Texts}).
 */
final class AiperfMooncakeReader extends StreamedReader<TraceLines> {
    private final int blockSize;
    private final Histories histories = new Histories();
    private final Map<String, Long> arrivals = new HashMap<>();
    private final Conversations conversations = new Conversations();
    private final Texts texts = new Texts();
    private boolean times;
    private boolean ids;
    private long withoutOutput;
    private long texted;

    AiperfMooncakeReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.AIPERF_MOONCAKE, new TraceLines(file));
        this.blockSize = file.blockSize().orElse(MooncakeReader.BLOCK_SIZE);
    }

    @Override
    boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            emit(turn(JsonFields.of(source.text())));
        }
        return true;
    }

    private Turn turn(JsonFields row) {
        String session = row.textOr("session_id", "");
        int output = row.has("output_length") ? Math.max(1, row.tokens("output_length", 0)) : 1;
        int turn = conversations.next(session);
        long gap = turn > 1 ? row.millisOr("delay", Turn.UNKNOWN) : Turn.UNKNOWN;
        long before = arrivals.getOrDefault(session, 0L);
        long arrival = row.millisOr("timestamp", session.isEmpty() ? 0 : before + Math.max(0, gap));
        Prompt prompt = prompt(row, session);
        withoutOutput += row.has("output_length") ? 0 : 1;
        times |= row.has("timestamp");
        if (!session.isEmpty()) {
            arrivals.put(session, arrival);
        }
        conversations.add(session, turn, arrival, Turn.UNKNOWN);
        histories.add(session, prompt, Turn.freshOutput(index()), output);
        return new Turn(
                index(),
                arrival,
                session,
                "",
                turn,
                gap,
                prompt,
                output,
                Turn.freshOutput(index()),
                Turn.Recorded.NOTHING);
    }

    private Prompt prompt(JsonFields row, String session) {
        int given = (row.has("input_length") ? 1 : 0) + (row.has("text_input") ? 1 : 0) + (row.has("messages") ? 1 : 0);
        if (given != 1) {
            throw new RowException(
                    "input_length", "expected one of input_length, text_input and messages, found " + given);
        }
        if (row.has("messages")) {
            texted++;
            return messages(row.list("messages"));
        }
        if (row.has("text_input")) {
            texted++;
            String text = row.text("text_input");
            return Prompt.builder()
                    .all(histories.of(session))
                    .span(texts.start(text), Texts.tokens(text))
                    .build();
        }
        int tokens = row.tokens("input_length", 1);
        if (!row.has("hash_ids")) {
            int history = histories.of(session).tokens();
            return histories.prompt(session, index(), history + tokens, history);
        }
        JsonNode list = row.list("hash_ids");
        BlockSizes.requireIds("hash_ids", list.size(), "input_length", tokens, blockSize);
        ids = true;
        Prompt.Builder prompt = Prompt.builder();
        for (int i = 0; i < list.size(); i++) {
            if (!list.get(i).isIntegralNumber()
                    || !list.get(i).canConvertToLong()
                    || list.get(i).asLong() < 0) {
                throw JsonFields.wrong("hash_ids", "whole numbers from 0", list.get(i));
            }
            prompt.span(
                    BlockSizes.start("hash_ids", list.get(i).asLong(), blockSize),
                    Math.min(blockSize, tokens - i * blockSize));
        }
        return prompt.build();
    }

    private Prompt messages(JsonNode messages) {
        Prompt.Builder prompt = Prompt.builder();
        for (JsonNode message : messages) {
            JsonNode content = message.path("content");
            String text = content.isTextual() ? content.asText() : content.toString();
            prompt.span(texts.start(text), Texts.tokens(text));
        }
        Prompt built = prompt.build();
        if (built.tokens() == 0) {
            throw new RowException("messages", "expected at least one message with content");
        }
        return built;
    }

    @Override
    int blockSize() {
        return ids ? blockSize : 0;
    }

    @Override
    boolean hasTimes() {
        return times;
    }

    @Override
    Prefixes prefixes() {
        return ids && texted == 0 ? Prefixes.BLOCKS : texted > 0 ? Prefixes.TOKENS : Prefixes.LENGTHS;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (withoutOutput > 0) {
            notes.add(withoutOutput + " answers have no length and count as 1 token");
        }
        if (texted > 0) {
            notes.add(
                    texted + " prompts are texts, of which every " + Texts.BYTES_PER_TOKEN + " bytes count as a token");
        }
        return notes;
    }
}

package dev.warmroute.recorder.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of {@code vllm bench serve --save-result --save-detailed}: one JSON object with a list for each figure, {@code
 * input_lens, output_lens, ttfts, itls, start_times} (seconds) and {@code errors}; a request that failed has an error and no
 * tokens, and is left out. {@code request_rate} may be the text "inf". Nothing says what prompts share. The object is read
 * whole, as it has its requests by columns.
 */
final class VllmBenchReader extends RowReader {
    private final JsonFields result;
    private final double[] starts;
    private final double[] ttfts;
    private final double first;
    private final Histories histories = new Histories();
    private int row;
    private long failed;

    VllmBenchReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.VLLM_BENCH.formatName());
        result = result(file);
        try {
            starts = result.numbers("start_times");
            ttfts = result.numbers("ttfts");
            requireLength("output_lens", result.list("output_lens").size());
            requireLength("start_times", starts.length);
            requireLength("ttfts", ttfts.length);
        } catch (RowException e) {
            throw new UserError(file.path() + ": " + e.getMessage(), e);
        }
        double earliest = Double.POSITIVE_INFINITY;
        for (double start : starts) {
            earliest = Math.min(earliest, start);
        }
        first = earliest;
    }

    private static JsonFields result(TraceFile file) {
        try (InputStream in = file.open()) {
            JsonNode node = JsonMapper.builder().build().readTree(in);
            if (!node.isObject()) {
                throw new UserError(
                        file.path() + ": expected the JSON object that vllm bench serve --save-result writes");
            }
            if (!node.path("input_lens").isArray()) {
                throw new UserError(file.path()
                        + ": there is no list 'input_lens': the result was saved without --save-detailed, which"
                        + " leaves sums only; run the benchmark with --save-detailed");
            }
            return new JsonFields(node);
        } catch (JsonProcessingException e) {
            throw new UserError(
                    file.path() + ": not JSON: " + e.getOriginalMessage().replaceAll("\\s+", " "), e);
        } catch (IOException e) {
            throw FileErrors.reading(file.path(), e);
        }
    }

    private void requireLength(String name, int found) {
        int requests = result.list("input_lens").size();
        if (found != requests && !(found == 0 && !result.has(name))) {
            throw new RowException(
                    name, "expected " + requests + " values, one for each of input_lens, found " + found);
        }
    }

    @Override
    boolean readRow() {
        if (row == result.list("input_lens").size()) {
            return false;
        }
        int i = row++;
        int output = value("output_lens", i);
        String error = result.has("errors") ? result.list("errors").path(i).asText("") : "";
        if (!error.isEmpty() || output == 0) {
            failed++;
            return true;
        }
        int tokens = value("input_lens", i);
        if (tokens < 1) {
            throw new RowException("input_lens", "expected at least 1 token, found " + tokens);
        }
        long ttft = ttfts.length == 0 ? Turn.UNKNOWN : nanos(ttfts[i]);
        emit(new Turn(
                index(),
                starts.length == 0 ? 0 : nanos(starts[i] - first),
                "",
                "",
                0,
                Turn.UNKNOWN,
                histories.prompt("", index(), tokens, 0),
                output,
                Turn.freshOutput(index()),
                new Turn.Recorded(-1, Turn.UNKNOWN, ttft, ttft < 0 ? Turn.UNKNOWN : ttft + decoding(i)),
                Turn.Labels.ofModel(result.textOr("model_id", ""))));
        return true;
    }

    private int value(String name, int i) {
        JsonNode value = result.list(name).get(i);
        if (!value.isIntegralNumber() || value.asLong() < 0 || value.asLong() > Histories.maxTokens()) {
            throw JsonFields.wrong(name, "numbers of tokens", value);
        }
        return value.asInt();
    }

    /** Time from the first token to the last. */
    private long decoding(int i) {
        double sum = 0;
        if (result.has("itls")) {
            for (JsonNode gap : result.list("itls").path(i)) {
                sum += gap.asDouble();
            }
        }
        return nanos(sum);
    }

    private static long nanos(double seconds) {
        return Math.max(0, Math.round(seconds * JsonRows.SECOND));
    }

    @Override
    boolean hasTimes() {
        return starts.length > 0;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.NONE;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (failed > 0) {
            notes.add(failed + " requests failed and were left out");
        }
        notes.add("lengths and times only: hit rates of a replay are 0 because nothing is known of the prompts");
        return notes;
    }

    @Override
    String place() {
        return file().path() + " request " + row;
    }

    @Override
    public void close() {
        // the file was read whole
    }
}

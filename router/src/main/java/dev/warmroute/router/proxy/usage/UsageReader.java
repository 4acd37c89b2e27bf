package dev.warmroute.router.proxy.usage;

import dev.warmroute.router.json.JsonFieldScanner;
import dev.warmroute.router.json.JsonFields;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads usage out of one JSON object: a whole answer, or one event of a stream. Knows the shapes of chat and plain
 * completions ({@code usage.prompt_tokens}, cached ones within), of messages ({@code usage.input_tokens} without the cached
 * ones, which stand beside it) and of responses ({@code usage.input_tokens}, cached ones within, in a stream below
 * {@code response}).
 */
final class UsageReader {
    /** Where an object with usage may stand. */
    private static final String[] PLACES = {"", "message.", "response."};

    private static final String[] NAMES = {
        "usage.prompt_tokens",
        "usage.completion_tokens",
        "usage.prompt_tokens_details.cached_tokens",
        "usage.input_tokens",
        "usage.output_tokens",
        "usage.input_tokens_details.cached_tokens",
        "usage.cache_read_input_tokens",
        "usage.cache_creation_input_tokens",
        "choices.finish_reason",
        "delta.stop_reason",
        "stop_reason",
        "incomplete_details.reason",
        "status",
        "id"
    };
    private static final int PROMPT = 0;
    private static final int COMPLETION = 1;
    private static final int PROMPT_CACHED = 2;
    private static final int INPUT = 3;
    private static final int OUTPUT = 4;
    private static final int INPUT_CACHED = 5;
    private static final int CACHE_READ = 6;
    private static final int CACHE_CREATION = 7;
    private static final int[] REASONS = {8, 9, 10, 11};
    private static final int STATUS = 12;
    private static final int ID = 13;
    private static final Set<String> FINAL_STATUS = Set.of("completed", "incomplete", "failed", "cancelled");
    private static final JsonFields FIELDS = fields();

    private final JsonFieldScanner scanner = new JsonFieldScanner(FIELDS);

    private static JsonFields fields() {
        String[] paths = new String[PLACES.length * NAMES.length];
        for (int p = 0; p < PLACES.length; p++) {
            for (int n = 0; n < NAMES.length; n++) {
                paths[p * NAMES.length + n] = PLACES[p] + NAMES[n];
            }
        }
        return JsonFields.of(paths);
    }

    void begin() {
        scanner.reset();
    }

    void feed(ByteBuffer piece) {
        scanner.feed(piece);
    }

    /** Usage in the whole object {@code json[from..to)}. */
    Usage read(byte[] json, int from, int to) {
        scanner.reset();
        scanner.feed(ByteBuffer.wrap(json, from, to - from));
        return read();
    }

    /** Id in the whole object {@code json[from..to)}. */
    String id(byte[] json, int from, int to) {
        scanner.reset();
        scanner.feed(ByteBuffer.wrap(json, from, to - from));
        return id();
    }

    /** Id in what was fed since {@link #begin}, at the top or, in an event, below {@code response}; empty when there is none. */
    String id() {
        for (int p = PLACES.length - 1; p >= 0; p--) {
            int field = p * NAMES.length + ID;
            if (scanner.isText(field)) {
                return scanner.value(field);
            }
        }
        return "";
    }

    /** Usage in what was fed since {@link #begin}. */
    Usage read() {
        Usage usage = Usage.UNKNOWN;
        for (int p = 0; p < PLACES.length; p++) {
            usage = usage.then(at(p * NAMES.length));
        }
        return usage;
    }

    private Usage at(int place) {
        OptionalLong read = count(place + CACHE_READ);
        OptionalLong input = count(place + INPUT);
        if (input.isPresent() && read.isPresent()) {
            input = OptionalLong.of(input.getAsLong()
                    + read.getAsLong()
                    + count(place + CACHE_CREATION).orElse(0));
        }
        OptionalLong cached = count(place + PROMPT_CACHED);
        if (cached.isEmpty()) {
            cached = read.isPresent() ? read : count(place + INPUT_CACHED);
        }
        OptionalLong prompt = count(place + PROMPT);
        OptionalLong completion = count(place + COMPLETION);
        return new Usage(
                prompt.isPresent() ? prompt : input,
                cached,
                completion.isPresent() ? completion : count(place + OUTPUT),
                reason(place));
    }

    private OptionalLong count(int field) {
        long n = scanner.count(field);
        return n < 0 ? OptionalLong.empty() : OptionalLong.of(n);
    }

    private Optional<String> reason(int place) {
        for (int r : REASONS) {
            if (scanner.isText(place + r)) {
                return Optional.of(scanner.value(place + r));
            }
        }
        String status = scanner.value(place + STATUS);
        return FINAL_STATUS.contains(status) ? Optional.of(status) : Optional.empty();
    }
}

package dev.warmroute.router.warm;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a file of warm prompts entry by entry, so that also what is not JSON is told with its entry and field. Everything that
 * is wrong is looked for; the message names the first of it and says how much more there is.
 */
final class WarmPromptsParser {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();
    private static final String WHOLE = "a list of prompts, each a list of messages or an object with 'messages'";

    private final String file;
    private final List<String> problems = new ArrayList<>();
    /** Index of the entry that has a name. */
    private final Map<String, Integer> names = new HashMap<>();

    WarmPromptsParser(String file) {
        this.file = file;
    }

    WarmPrompts parse(byte[] json) {
        List<WarmPrompt> prompts = new ArrayList<>();
        try (JsonParser parser = MAPPER.createParser(json)) {
            try {
                entries(parser, prompts);
            } catch (JsonProcessingException e) {
                problems.add(notJson(parser, e));
            }
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
        if (!problems.isEmpty()) {
            int more = problems.size() - 1;
            throw new UserError(
                    file + ": " + problems.get(0) + (more == 0 ? "" : " (and " + more + " more like this)"));
        }
        return new WarmPrompts(prompts);
    }

    private void entries(JsonParser parser, List<WarmPrompt> prompts) throws IOException {
        JsonToken first = parser.nextToken();
        if (first != JsonToken.START_ARRAY) {
            problems.add(
                    first == null
                            ? "is empty; expected is " + WHOLE
                            : "must be " + WHOLE + ", not " + WarmPromptShape.described(MAPPER.readTree(parser)));
            return;
        }
        int index = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            entry(index, MAPPER.readTree(parser), prompts);
            index++;
        }
        if (index == 0) {
            problems.add("has no entry; expected is " + WHOLE);
        }
        if (parser.nextToken() != null) {
            problems.add(
                    "line " + parser.currentLocation().getLineNr() + ": goes on after the list; expected is one list");
        }
    }

    private void entry(int index, JsonNode entry, List<WarmPrompt> prompts) {
        String where = "entry [" + index + "]";
        int before = problems.size();
        WarmPromptShape shape =
                new WarmPromptShape((field, problem) -> problems.add(located(where, field) + ": " + problem));
        shape.check(entry);
        String name = entry.path("name").asText(where);
        Integer other = names.putIfAbsent(name, index);
        if (other != null) {
            problems.add(
                    located(where, "name") + ": '" + name + "' is taken by entry [" + other + "]; choose another one");
        }
        if (problems.size() == before) {
            prompts.add(new WarmPrompt(name, shape.chat(entry)));
        }
    }

    private static String located(String entry, String field) {
        return field.isEmpty() ? entry : entry + ", " + field;
    }

    /** Where the parser stands, as entry and field. */
    private static String notJson(JsonParser parser, JsonProcessingException e) {
        StringBuilder where = new StringBuilder();
        if (e.getLocation() != null) {
            where.append("line ").append(e.getLocation().getLineNr()).append(": ");
        }
        JsonPointer entry = parser.getParsingContext().pathAsPointer();
        if (!entry.matches()) {
            where.append(located("entry [" + entry.getMatchingIndex() + "]", field(entry.tail())))
                    .append(": ");
        }
        return where + "cannot be read as JSON: "
                + e.getOriginalMessage().lines().findFirst().orElse("");
    }

    /** A list that stands for an entry is called what it would be called in an object. */
    private static String field(JsonPointer path) {
        StringBuilder field = new StringBuilder(path.mayMatchElement() ? WarmPromptShape.MESSAGES : "");
        for (JsonPointer at = path; !at.matches(); at = at.tail()) {
            if (at.mayMatchElement()) {
                field.append('[').append(at.getMatchingIndex()).append(']');
            } else {
                field.append(field.isEmpty() ? "" : ".").append(at.getMatchingProperty());
            }
        }
        return field.toString();
    }
}

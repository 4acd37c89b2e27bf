package dev.warmroute.simulator.warm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which prompts a simulated fleet is to be warmed with.
 *
 * <p>A trace says which tokens are equal, not what they say. So a prompt is either found there ({@code auto:N}), or described by
 * its length: a file with a JSON list of objects with {@code tokens}, as the router's line of a warm-up says, and where wanted
 * {@code name} and {@code matches}, the number of the prefix that {@code auto} lists. Without {@code matches} an entry stands for
 * the prefix shared by first turns whose length is nearest, and none that is off by more than a block or a fiftieth.
 */
public final class WarmPromptChoice {
    private static final String AUTO = "auto:";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SHOWN = 6;
    /** Of its length, what a trace's prefix may be off besides a block. */
    private static final int SLACK_PART = 50;

    private final String text;

    private WarmPromptChoice(String text) {
        this.text = text;
    }

    /** @param text {@code auto:N}, or the path of a description */
    public static WarmPromptChoice of(String text) {
        return new WarmPromptChoice(text);
    }

    /**
     * The prompts, in the order in which they are begun.
     *
     * @param shared what first turns share, the most valuable first
     * @param blockSize tokens a block
     * @throws UserError if nothing is shared, or an entry cannot be matched
     */
    public List<SharedPrefix> among(List<SharedPrefix> shared, int blockSize) {
        if (shared.isEmpty()) {
            throw new UserError("--warm-prompts: no first turns share a block of " + blockSize + " tokens or more");
        }
        if (text.startsWith(AUTO)) {
            return shared.subList(0, Math.min(shared.size(), number(text.substring(AUTO.length()))));
        }
        List<SharedPrefix> left = new ArrayList<>(shared);
        List<SharedPrefix> chosen = new ArrayList<>();
        JsonNode list = read(Path.of(text));
        for (int i = 0; i < list.size(); i++) {
            Entry entry = entry(list.get(i), text + ": entry [" + i + "]");
            SharedPrefix match = entry.match(shared, left, blockSize);
            left.remove(match);
            chosen.add(match.named(entry.name.isEmpty() ? match.name() : entry.name, entry.tokens));
        }
        return chosen;
    }

    private static int number(String text) {
        if (!text.matches("[1-9]\\d?") || Integer.parseInt(text) > SharedPrefixes.MOST) {
            throw new UserError("--warm-prompts auto:" + text + ": expected auto:1 to auto:" + SharedPrefixes.MOST);
        }
        return Integer.parseInt(text);
    }

    private static JsonNode read(Path file) {
        JsonNode list;
        try {
            list = JSON.readTree(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "there is no file " + file + " with warm prompts; auto:N takes the N most valuable of the trace",
                    e);
        } catch (JsonProcessingException e) {
            throw new UserError(file + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
        if (!list.isArray() || list.isEmpty() || list.size() > SharedPrefixes.MOST) {
            throw new UserError(file + ": expected a JSON list of 1 to " + SharedPrefixes.MOST + " descriptions, as in"
                    + " [{\"name\": \"coder\", \"tokens\": 1700}]");
        }
        return list;
    }

    private static Entry entry(JsonNode node, String place) {
        if (!node.isObject() || !node.has("tokens")) {
            throw new UserError(place
                    + ": a trace has no texts to find messages in: expected an object with 'tokens', the length that"
                    + " the router's line of the warm-up says, as in {\"name\": \"coder\", \"tokens\": 1700}; auto:N takes the N most"
                    + " valuable prefixes of the trace");
        }
        JsonNode name = node.path("name");
        if (!name.isMissingNode() && !name.isTextual()) {
            throw new UserError(place + ", name: expected a text, found " + name);
        }
        Optional<Integer> matches = node.has("matches")
                ? Optional.of(whole(node.path("matches"), SharedPrefixes.MOST, place + ", matches"))
                : Optional.empty();
        return new Entry(
                name.asText(""), whole(node.path("tokens"), Integer.MAX_VALUE, place + ", tokens"), matches, place);
    }

    private static int whole(JsonNode value, int most, String place) {
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1 || value.intValue() > most) {
            throw new UserError(place + ": expected a whole number from 1 to " + most + ", found " + value);
        }
        return value.intValue();
    }

    private record Entry(String name, int tokens, Optional<Integer> matches, String place) {
        SharedPrefix match(List<SharedPrefix> all, List<SharedPrefix> left, int blockSize) {
            int slack = Math.max(blockSize, tokens / SLACK_PART);
            if (matches.isPresent() && matches.get() > all.size()) {
                throw new UserError(
                        place + ", matches: " + matches.get() + " is not among what first turns share: " + listed(all));
            }
            SharedPrefix best = matches.isPresent()
                    ? all.get(matches.get() - 1)
                    : left.stream().reduce((a, b) -> off(b) < off(a) ? b : a).orElse(all.get(0));
            if (!left.contains(best)) {
                throw new UserError(
                        place + ": the prefix of " + best.prompt().tokens() + " tokens is taken by another entry");
            }
            if (off(best) > slack) {
                throw new UserError(
                        place + ": no first turns share about " + tokens + " tokens; what they share: " + listed(all));
            }
            return best;
        }

        private int off(SharedPrefix prefix) {
            return Math.abs(prefix.prompt().tokens() - tokens);
        }

        private static String listed(List<SharedPrefix> all) {
            return IntStream.range(0, Math.min(SHOWN, all.size()))
                    .mapToObj(i -> (i + 1) + ": " + all.get(i).prompt().tokens() + " tokens of "
                            + all.get(i).firstTurns())
                    .collect(Collectors.joining(", ", "", all.size() > SHOWN ? ", ..." : ""));
        }
    }
}

package dev.warmroute.router.publish;

import dev.warmroute.router.event.Topic;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a publisher could neither write nor announce as lost before it was closed.
 *
 * @param count events by topic; empty when everything was written
 */
public record Unwritten(Map<Topic, Long> count) {
    public static final Unwritten NOTHING = new Unwritten(Map.of());

    public Unwritten {
        count = count.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(count));
    }

    public long total() {
        return count.values().stream().mapToLong(Long::longValue).sum();
    }

    /** For people: {@code 12 decisions, 3 requests}. */
    @Override
    public String toString() {
        return count.isEmpty()
                ? "nothing"
                : count.entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey().shortName())
                        .collect(Collectors.joining(", "));
    }
}

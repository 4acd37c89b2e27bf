package dev.warmroute.simulator.replica;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Requests that have arrived and that the engine does not see yet: the time that vLLM's frontend takes for template,
 * tokenizer and hand-over. Meanwhile they count as neither waiting nor running, as there. Belongs to the engine's thread.
 */
final class FrontendQueue {
    private record Entry(Generation generation, long dueNanos, long number) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::dueNanos).thenComparingLong(Entry::number));
    private long numbers;

    void add(Generation g, long dueNanos) {
        entries.add(new Entry(g, dueNanos, numbers++));
    }

    /** When the next one is through; {@link Long#MAX_VALUE} if there is none. */
    long nextDue() {
        return entries.isEmpty() ? Long.MAX_VALUE : entries.peek().dueNanos();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Takes out the next one. */
    Generation take() {
        return entries.remove().generation();
    }
}

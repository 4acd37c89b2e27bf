package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class EventQueueTest {
    private record Event(long time, int kind, int item) {}

    @Property
    void givesEventsByTimeThenKindThenOrderOfAddition(@ForAll List<@IntRange(min = -5, max = 60) Integer> script) {
        EventQueue queue = new EventQueue();
        List<Event> expected = new ArrayList<>();
        int item = 0;
        for (int step : script) {
            if (step < 0 && !queue.isEmpty()) {
                Event first = expected.stream()
                        .min(Comparator.comparingLong(Event::time)
                                .thenComparingInt(Event::kind)
                                .thenComparingInt(Event::item))
                        .orElseThrow();
                expected.remove(first);
                assertThat(queue.time()).isEqualTo(first.time);
                assertThat(queue.kind()).isEqualTo(first.kind);
                assertThat(queue.remove()).isEqualTo(first.item);
            } else if (step >= 0) {
                Event event = new Event(step / 3, step % 3, item++);
                queue.add(event.time, event.kind, event.item);
                expected.add(event);
            }
        }
        assertThat(queue.isEmpty()).isEqualTo(expected.isEmpty());
    }
}

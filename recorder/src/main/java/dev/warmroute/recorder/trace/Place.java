package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.event.Topic;

/** A partition of a topic. */
record Place(Topic topic, int partition) implements Comparable<Place> {
    static Place of(Position p) {
        return new Place(Topics.named(p.topic()), p.partition());
    }

    static Place of(Segment s) {
        return new Place(Topics.named(s.topic()), s.partition());
    }

    static Place of(RecordedEvent e) {
        return new Place(e.topic(), e.partition());
    }

    @Override
    public int compareTo(Place other) {
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
    }
}

package dev.warmroute.recorder.ingest;

import dev.warmroute.router.event.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The topics to record by their names on the broker. */
final class TopicMap {
    private final Map<String, Topic> byName = new TreeMap<>();

    TopicMap(String prefix, Set<Topic> topics) {
        topics.forEach(t -> byName.put(t.name(prefix), t));
    }

    Collection<String> names() {
        return byName.keySet();
    }

    Topic of(String name) {
        return byName.get(name);
    }

    /** Partitions of those topics that are there by now. */
    List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        Map<String, List<PartitionInfo>> all = consumer.listTopics();
        List<TopicPartition> out = new ArrayList<>();
        for (String name : byName.keySet()) {
            for (PartitionInfo p : all.getOrDefault(name, List.of())) {
                out.add(new TopicPartition(name, p.partition()));
            }
        }
        return out;
    }
}

package dev.warmroute.router.publish;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Makes the topics that are missing, with the partitions and the retention that they need. */
public final class Topics {
    private static final ClusterAnswers CLUSTER = new ClusterAnswers("kafka.bootstrap");

    private Topics() {}

    /**
     * Creates the topics that do not exist; those that do are left as they are. Replication is the cluster's default.
     *
     * @param admin connection to the cluster, closed by the caller
     * @param prefix what the topics' names begin with
     * @param partitions partitions of each new topic
     * @param retention how long events are kept; the homes are compacted instead
     * @return names of the topics created, in the order of {@link Topic}
     * @throws UserError if Kafka does not answer or refuses, or if a homes topic exists that would forget homes
     */
    public static List<String> createMissing(Admin admin, String prefix, int partitions, Duration retention) {
        if (partitions < 1) {
            throw new UserError("a topic needs at least 1 partition, not " + partitions);
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new UserError("the retention of the topics must be positive, not " + retention);
        }
        Set<String> existing = CLUSTER.await(admin.listTopics().names(), "list the topics");
        Map<String, NewTopic> missing = new LinkedHashMap<>();
        for (Topic topic : Topic.values()) {
            String name = topic.name(prefix);
            if (!existing.contains(name)) {
                missing.put(name, newTopic(topic, name, partitions, retention));
            }
        }
        if (existing.contains(Topic.HOMES.name(prefix))) {
            requireCompacted(admin, Topic.HOMES.name(prefix));
        }
        List<String> created = new ArrayList<>();
        admin.createTopics(missing.values()).values().forEach((name, done) -> {
            if (CLUSTER.created(done, name)) {
                created.add(name);
            }
        });
        String homes = Topic.HOMES.name(prefix);
        if (missing.containsKey(homes) && !created.contains(homes)) {
            // made by somebody else in the meantime, perhaps not as it must be
            requireCompacted(admin, homes);
        }
        return List.copyOf(missing.keySet().stream().filter(created::contains).toList());
    }

    private static NewTopic newTopic(Topic topic, String name, int partitions, Duration retention) {
        Map<String, String> configs = topic.compacted()
                ? Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_COMPACT,
                        // Small segments, soon cleaned: a router reads the whole topic when it starts.
                        TopicConfig.SEGMENT_BYTES_CONFIG,
                        Integer.toString(16 << 20),
                        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                        "0.1")
                : Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(retention.toMillis()));
        return new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
    }

    private static void requireCompacted(Admin admin, String name) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
        Config config = CLUSTER.await(admin.describeConfigs(List.of(resource)).all(), "describe topic " + name)
                .get(resource);
        String policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new UserError("topic " + name + " has cleanup.policy=" + policy
                    + " and would forget the homes of conversations; set it to compact, or use another kafka.prefix");
        }
    }
}

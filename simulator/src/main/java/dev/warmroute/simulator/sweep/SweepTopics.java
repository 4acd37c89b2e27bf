package dev.warmroute.simulator.sweep;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.UserError;
import dev.warmroute.router.publish.ClusterAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;

/**
 * Where sweeps meet their workers: a topic of tasks that a share group takes one by one, and a topic of results, compacted,
 * keyed by the tasks' ids. Sweeps with the same prefix share them.
 *
 * @param prefix what the names begin with
 */
public record SweepTopics(String prefix) {
    static final ClusterAnswers CLUSTER = new ClusterAnswers("--bootstrap");

    private static final Duration KEPT = Duration.ofDays(7);

    /** How long a task stays with a worker that no longer renews it: the least that brokers allow by default. */
    private static final Duration LOCK = Duration.ofSeconds(15);

    /** Workers that a task may be taken from before the group gives it up: the most that brokers allow by default. */
    private static final int DELIVERIES = 10;

    public String tasks() {
        return prefix + ".sweep-tasks";
    }

    public String results() {
        return prefix + ".sweep-results";
    }

    /** Name of the workers' share group. */
    public String group() {
        return prefix + ".sweep";
    }

    /** Settings of a client of this cluster. */
    static Map<String, Object> client(KafkaAccess access) {
        Map<String, Object> settings = new HashMap<>(access.properties());
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, access.bootstrap());
        return settings;
    }

    /**
     * Makes the topics that are missing and sets the group up.
     *
     * @return names of the topics made
     * @throws UserError if Kafka does not answer or refuses
     */
    public List<String> prepare(Admin admin) {
        Set<String> there = CLUSTER.await(admin.listTopics().names(), "list the topics");
        Map<String, NewTopic> missing = new LinkedHashMap<>();
        // One partition: a share group hands single records of it to any number of workers.
        missing.put(tasks(), topic(tasks(), TopicConfig.CLEANUP_POLICY_DELETE));
        missing.put(
                results(),
                topic(results(), TopicConfig.CLEANUP_POLICY_COMPACT + ',' + TopicConfig.CLEANUP_POLICY_DELETE));
        missing.keySet().removeAll(there);
        List<String> made = new ArrayList<>();
        admin.createTopics(missing.values()).values().forEach((name, done) -> {
            if (CLUSTER.created(done, name)) {
                made.add(name);
            }
        });
        configureGroup(admin);
        return made;
    }

    private static NewTopic topic(String name, String cleanup) {
        return new NewTopic(name, Optional.of(1), Optional.empty())
                .configs(Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        cleanup,
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(KEPT.toMillis())));
    }

    /** Tasks that were there before the first worker count too; the rest is wanted, but a cluster may have other bounds. */
    private void configureGroup(Admin admin) {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, group());
        Config now = CLUSTER.await(admin.describeConfigs(List.of(group)).all(), "describe group " + group())
                .get(group);
        set(admin, group, now, "share.auto.offset.reset", "earliest");
        try {
            set(admin, group, now, "share.record.lock.duration.ms", Long.toString(LOCK.toMillis()));
            set(admin, group, now, "share.delivery.count.limit", Integer.toString(DELIVERIES));
        } catch (UserError e) {
            if (!(e.getCause() instanceof InvalidConfigurationException)) {
                throw e;
            }
        }
    }

    private static void set(Admin admin, ConfigResource group, Config now, String name, String value) {
        ConfigEntry entry = now.get(name);
        if (entry == null || !value.equals(entry.value())) {
            CLUSTER.await(
                    admin.incrementalAlterConfigs(Map.of(
                                    group,
                                    List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
                            .all(),
                    "set " + name + " of the share group " + group.name());
        }
    }
}

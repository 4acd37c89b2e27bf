package dev.warmroute.recorder.ingest;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;

/**
 * Which cluster, and which topics on it.
 *
 * @param id of the cluster
 * @param topicIds id of each topic that is there; a topic made anew under the same name has another
 */
record KafkaCluster(String id, Map<Topic, String> topicIds) {
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** Asks the brokers. */
    static KafkaCluster ask(RecorderOptions options) {
        Map<String, Object> settings = new HashMap<>(options.properties());
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, options.bootstrap());
        try (Admin admin = Admin.create(settings)) {
            String cluster = admin.describeCluster().clusterId().get(ANSWER.toSeconds(), TimeUnit.SECONDS);
            return new KafkaCluster(cluster, topicIds(admin, options));
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new UserError(
                    "Kafka at " + options.bootstrap() + " does not answer; check the address and kafka properties", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("recording was interrupted before it began", e);
        }
    }

    private static Map<Topic, String> topicIds(Admin admin, RecorderOptions options)
            throws ExecutionException, InterruptedException, TimeoutException {
        Set<String> there = new HashSet<>(admin.listTopics().names().get(ANSWER.toSeconds(), TimeUnit.SECONDS));
        Map<String, Topic> wanted = new HashMap<>();
        options.topics().forEach(t -> wanted.put(t.name(options.prefix()), t));
        there.retainAll(wanted.keySet());
        Map<Topic, String> ids = new EnumMap<>(Topic.class);
        admin.describeTopics(there)
                .allTopicNames()
                .get(ANSWER.toSeconds(), TimeUnit.SECONDS)
                .forEach((name, topic) -> {
                    if (!topic.topicId().equals(Uuid.ZERO_UUID)) { // of a broker that knows no ids
                        ids.put(wanted.get(name), topic.topicId().toString());
                    }
                });
        return ids;
    }
}

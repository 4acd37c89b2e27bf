package dev.warmroute.router.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.common.utils.internals.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {
    private static final TopicPartition TOPIC = new TopicPartition("kept", 0);

    @TempDir
    Path dataDir;

    @Test
    void recordsAndAddressSurviveARestartOnTheSameDirectory() throws Exception {
        String bootstrap;
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            bootstrap = broker.bootstrap();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
                admin.createTopics(List.of(new NewTopic(TOPIC.topic(), 1, (short) 1)))
                        .all()
                        .get(30, TimeUnit.SECONDS);
            }
            send(bootstrap, "before");
        }
        assertThat(EmbeddedBroker.lastBootstrap(dataDir)).contains(bootstrap);
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            assertThat(broker.bootstrap()).isEqualTo(bootstrap);
            send(bootstrap, "after");
            assertThat(read(bootstrap, 2)).containsExactly("before", "after");
            assertThat(broker.fault()).isEmpty();
        }
    }

    @Test
    void aPortTakenMeanwhileIsReplacedByAFreeOne() throws Exception {
        String before;
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            before = broker.bootstrap();
        }
        int port = URI.create("kafka://" + before).getPort();
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            assertThat(taken.isBound()).isTrue();
            assertThat(broker.bootstrap()).isNotEqualTo(before);
            assertThat(EmbeddedBroker.lastBootstrap(dataDir)).contains(broker.bootstrap());
        }
    }

    @Test
    void aSecondBrokerOnTheSameDirectoryIsRefused() {
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            assertThat(broker.bootstrap()).startsWith("127.0.0.1:");
            assertThatThrownBy(() -> EmbeddedBroker.start(dataDir))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(dataDir.toString())
                    .hasMessageContaining("another router")
                    .hasMessageContaining("data_dir");
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsAUserError() throws Exception {
        Path file = Files.writeString(dataDir.resolve("file"), "not a directory");
        assertThatThrownBy(() -> EmbeddedBroker.start(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("data_dir");
    }

    @Test
    void aDirectoryOfSomethingElseIsAUserErrorAndIsReleased() throws Exception {
        Path log = Files.createDirectories(dataDir.resolve("log"));
        Files.writeString(log.resolve("meta.properties"), "version=1\nnode.id=7\ncluster.id=other\n");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> EmbeddedBroker.start(dataDir))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("did not start")
                    .hasMessageContaining("kafka.bootstrap");
        }
    }

    @Test
    void aTemporaryBrokerLeavesNothingBehind() {
        Path directory;
        try (EmbeddedBroker broker = EmbeddedBroker.temporary()) {
            directory = broker.directory();
            assertThat(directory).isDirectory();
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void aFaultEndsTheBrokerButNotTheProcess() {
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            assertThatThrownBy(() -> Exit.halt(1, "all log directories have failed"))
                    .hasMessageContaining("all log directories");
            assertThatThrownBy(() -> Exit.exit(1)).hasMessageContaining("status 1");
            assertThat(broker.fault()).contains("all log directories have failed");
        }
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir)) {
            assertThat(broker.fault()).isEmpty();
        }
    }

    @Test
    void theEmbeddedServerIsTheOneThatThisClassWasWrittenFor() {
        // EmbeddedBroker uses server classes that Kafka may change in any release: read its notes before raising this.
        assertThat(AppInfoParser.getVersion()).isEqualTo("4.4.0");
    }

    @Test
    void aDirectoryWithoutABrokerHasNoAddress() {
        assertThat(EmbeddedBroker.lastBootstrap(dataDir)).isEqualTo(Optional.empty());
    }

    private static void send(String bootstrap, String value) throws InterruptedException, ExecutionException {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC.topic(), value)).get();
        }
    }

    private static List<String> read(String bootstrap, int count) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(TOPIC));
            consumer.seekToBeginning(List.of(TOPIC));
            List<String> values = new ArrayList<>();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (values.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(100)).forEach(r -> values.add(r.value()));
            }
            return values;
        }
    }
}

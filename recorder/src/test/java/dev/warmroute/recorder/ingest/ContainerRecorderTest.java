package dev.warmroute.recorder.ingest;

import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** The recorder against a broker of the Kafka project's own image; skipped without Docker. */
@Testcontainers(disabledWithoutDocker = true)
class ContainerRecorderTest extends RecorderContract {
    @Container
    private static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka-native:4.1.0");

    @Override
    String bootstrap() {
        return KAFKA.getBootstrapServers();
    }
}

package dev.warmroute.router.publish;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** The contract on Apache Kafka's own image; skipped where there is no Docker. */
class ContainerBrokerContractTest extends BrokerContract {
    private static KafkaContainer container;

    @BeforeAll
    static void start() {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker here");
        container = new KafkaContainer("apache/kafka:4.0.0");
        container.start();
    }

    @AfterAll
    static void stop() {
        if (container != null) {
            container.stop();
        }
    }

    @Override
    String bootstrap() {
        return container.getBootstrapServers();
    }
}

package dev.warmroute.router.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProducerSettingsTest {
    private static Map<String, Object> config(Map<String, String> properties) {
        return KafkaPublisher.producerConfig(new PublisherSettings("127.0.0.1:9092", "t", 10, properties));
    }

    @Test
    void theOperatorsPropertiesWin() {
        assertThat(config(Map.of("linger.ms", "50", "security.protocol", "SSL")))
                .containsEntry("linger.ms", "50")
                .containsEntry("security.protocol", "SSL");
    }

    /**
     * With more than one request under way, a batch that a new partition refuses and the one behind it that it takes change
     * places; the first is then refused for ever. It happens when topics have just been made and the broker is short of time:
     * of 40 rounds of {@link BrokerContract}'s traffic under six busy loops two lost events, and none does with one request.
     */
    @Test
    void nothingOvertakesAndNothingBlocksWhateverThePropertiesSay() {
        assertThat(config(Map.of("max.in.flight.requests.per.connection", "5", "max.block.ms", "60000")))
                .containsEntry("max.in.flight.requests.per.connection", "1")
                .containsEntry("max.block.ms", "0");
    }
}

package dev.warmroute.router.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnvelopeTest {
    private static final RouterIdentity ROUTER = new RouterIdentity("router-a", 1_796_000_000_000L, 17);
    private static final String TIME = "2026-11-30T00:00:00.000123Z";

    @Test
    void theHeadersAreThoseOfTheCloudEventsKafkaBinding() {
        Event event = EventExamples.of(EventType.ROUTING_DECISION, ROUTER);
        assertThat(Envelope.of(event, ROUTER, "5a17", TIME).headers().entrySet())
                .containsExactly(
                        Map.entry("ce_specversion", "1.0"),
                        Map.entry("ce_id", "router-a-1796000000000-17"),
                        Map.entry("ce_type", "routing.decision.v1"),
                        Map.entry("ce_source", "/router/router-a"),
                        Map.entry("ce_subject", "0197f3c2-71aa-7c1e-9d55-0b6a8f2e4c10"),
                        Map.entry("ce_time", TIME),
                        Map.entry("ce_partitionkey", "5f0c9a7be2d41388/b81d04c6a93f7e25"),
                        Map.entry("ce_sequence", "17"),
                        Map.entry("ce_saltid", "5a17"),
                        Map.entry("content-type", "application/json"));
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void noHeaderIsEmptyAndTheKeyIsTheEvents(EventType type) {
        Event event = EventExamples.of(type, ROUTER);
        Envelope envelope = Envelope.of(event, ROUTER, "5a17", TIME);
        assertThat(envelope.headers().values()).doesNotContain("");
        assertThat(envelope.partitionKey()).isEqualTo(event.key()).isNotEmpty();
        assertThat(envelope.subject()).isEqualTo(event.subject()).isNotEmpty();
    }

    @Test
    void aRequestWithoutAConversationHasNoPartitionKey() {
        RequestCompleted event = new RequestCompleted(
                "request",
                RoutingDecision.Session.UNKNOWN,
                "m",
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                RequestCompleted.EndedBy.ROUTER,
                0,
                1,
                OptionalLong.empty(),
                2,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                0,
                ROUTER);
        assertThat(Envelope.of(event, ROUTER, "5a17", TIME).headers()).doesNotContainKey("ce_partitionkey");
    }

    @Test
    void idsDifferBetweenRoutersRestartsAndEvents() {
        Set<String> ids = new HashSet<>();
        for (String instance : List.of("a", "b")) {
            for (long epoch : List.of(1L, 11L)) {
                for (long sequence : List.of(0L, 1L, 11L)) {
                    RouterIdentity router = new RouterIdentity(instance, epoch, sequence);
                    ids.add(Envelope.of(EventExamples.of(EventType.HOME, router), router, "5a17", TIME)
                            .id());
                }
            }
        }
        assertThat(ids).hasSize(12);
    }
}

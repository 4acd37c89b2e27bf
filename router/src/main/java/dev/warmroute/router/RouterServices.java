package dev.warmroute.router;

import dev.warmroute.router.admin.KafkaStatus;
import dev.warmroute.router.figures.Figures;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.state.HomesSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a router is given from outside.
 *
 * @param instance name of this router, the same after a restart
 * @param events where its events go
 * @param figures look on at all events that go there
 * @param signals what the replicas' metrics say
 * @param prompts hears of every prompt after its request has left
 * @param homes what earlier runs and other routers remember of conversations
 * @param kafka how it stands with Kafka; empty for a router without
 * @param salt secret behind all hashes
 * @param eventLoops threads of the data path; 0: as many as there are processors
 * @param maxSockets connections of clients and to replicas with which no further client is taken; 0: as many as the limit of
 *     open files allows
 */
public record RouterServices(
        String instance,
        EventSink events,
        Figures figures,
        SignalsSource signals,
        PromptListener prompts,
        HomesSource homes,
        Supplier<Optional<KafkaStatus>> kafka,
        RouterClock clock,
        Salt salt,
        int eventLoops,
        int maxSockets) {

    /** Events to this sink and nothing else: no metrics, no prompts, no earlier homes, no Kafka, this machine's clock. */
    public static RouterServices of(EventSink events, Salt salt) {
        RouterClock clock = RouterClock.system();
        Figures figures = new Figures(clock.epochMicros(clock.nanos()));
        return new RouterServices(
                "router",
                figures.over(events),
                figures,
                SignalsSource.NONE,
                PromptListener.NONE,
                HomesSource.NONE,
                Optional::empty,
                clock,
                salt,
                0,
                0);
    }

    public RouterServices withSignals(SignalsSource other) {
        return new RouterServices(
                instance, events, figures, other, prompts, homes, kafka, clock, salt, eventLoops, maxSockets);
    }

    public RouterServices withPrompts(PromptListener other) {
        return new RouterServices(
                instance, events, figures, signals, other, homes, kafka, clock, salt, eventLoops, maxSockets);
    }

    public RouterServices withHomes(HomesSource other) {
        return new RouterServices(
                instance, events, figures, signals, prompts, other, kafka, clock, salt, eventLoops, maxSockets);
    }

    public RouterServices withEventLoops(int other) {
        return new RouterServices(
                instance, events, figures, signals, prompts, homes, kafka, clock, salt, other, maxSockets);
    }

    public RouterServices withMaxSockets(int other) {
        return new RouterServices(
                instance, events, figures, signals, prompts, homes, kafka, clock, salt, eventLoops, other);
    }
}

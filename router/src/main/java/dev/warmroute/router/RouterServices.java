package dev.warmroute.router;

import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.state.HomesSource;

/**
 * What a router is given from outside.
 *
 * @param instance name of this router, the same after a restart
 * @param events where its events go
 * @param signals what the replicas' metrics say
 * @param prompts hears of every prompt after its request has left
 * @param homes what earlier runs and other routers remember of conversations
 * @param salt secret behind all hashes
 * @param eventLoops threads of the data path; 0: as many as there are processors
 */
public record RouterServices(
        String instance,
        EventSink events,
        SignalsSource signals,
        PromptListener prompts,
        HomesSource homes,
        RouterClock clock,
        Salt salt,
        int eventLoops) {

    /** Events to this sink and nothing else: no metrics, no prompts, no earlier homes, this machine's clock. */
    public static RouterServices of(EventSink events, Salt salt) {
        return new RouterServices(
                "router", events, SignalsSource.NONE, PromptListener.NONE, HomesSource.NONE, RouterClock.system(), salt, 0);
    }

    public RouterServices withSignals(SignalsSource other) {
        return new RouterServices(instance, events, other, prompts, homes, clock, salt, eventLoops);
    }

    public RouterServices withPrompts(PromptListener other) {
        return new RouterServices(instance, events, signals, other, homes, clock, salt, eventLoops);
    }

    public RouterServices withHomes(HomesSource other) {
        return new RouterServices(instance, events, signals, prompts, other, clock, salt, eventLoops);
    }

    public RouterServices withEventLoops(int other) {
        return new RouterServices(instance, events, signals, prompts, homes, clock, salt, other);
    }
}

package dev.warmroute.router;

import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;

/**
 * What a router is given from outside.
 *
 * @param events where its events go
 * @param signals what the replicas' metrics say
 * @param prompts hears of every prompt after its request has left
 * @param salt secret behind all hashes
 * @param eventLoops threads of the data path; 0: as many as there are processors
 */
public record RouterServices(
        EventSink events, SignalsSource signals, PromptListener prompts, RouterClock clock, Salt salt, int eventLoops) {

    /** Events to this sink and nothing else: no metrics, no prompts, this machine's clock. */
    public static RouterServices of(EventSink events, Salt salt) {
        return new RouterServices(events, SignalsSource.NONE, PromptListener.NONE, RouterClock.system(), salt, 0);
    }

    public RouterServices withSignals(SignalsSource signals) {
        return new RouterServices(events, signals, prompts, clock, salt, eventLoops);
    }

    public RouterServices withPrompts(PromptListener prompts) {
        return new RouterServices(events, signals, prompts, clock, salt, eventLoops);
    }

    public RouterServices withEventLoops(int eventLoops) {
        return new RouterServices(events, signals, prompts, clock, salt, eventLoops);
    }
}

package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.state.ModelRouter;
import dev.warmroute.router.state.ModelRouter.Decision;
import dev.warmroute.router.state.SharedHomes;
import dev.warmroute.router.state.SharedHomes.Adopted;
import dev.warmroute.router.state.SharedHomes.Consequence;
import dev.warmroute.router.state.SharedHomes.Restored;
import java.util.concurrent.TimeUnit;

/** Keeps the homes of one model in step with other routers and with earlier runs. Used under the model's lock. */
final class KeptHomes {
    /** More than a router remembers at a time, since others use them too. */
    private static final int MAX_HOMES = 65_536;

    private final ModelRouter router;
    private final SharedHomes shared;
    private final EventSink events;
    private final RouterClock clock;

    /** @param instance name of this router */
    KeptHomes(String instance, String model, ModelRouter router, EventSink events, RouterClock clock) {
        this.router = router;
        this.events = events;
        this.clock = clock;
        this.shared = new SharedHomes(instance, model, idleMicros(), MAX_HOMES);
    }

    private long idleMicros() {
        return TimeUnit.SECONDS.toMicros(router.policy().needs().conversations().idleSeconds());
    }

    /** Takes note that the policy is another one. */
    void policyChanged() {
        shared.idle(idleMicros());
    }

    /** Takes note of a decision. */
    void decided(Decision decision, long now) {
        String home = decision.homeAfter();
        if (decision.request().hasSession() && !home.isEmpty()) {
            shared.used(decision.request().session(), home, clock.epochMicros(now))
                    .ifPresent(this::write);
        }
    }

    void read(Home home, long offset) {
        long now = clock.nanos();
        Consequence consequence = shared.read(home, offset, clock.epochMicros(now));
        consequence.adopted().ifPresent(a -> adopt(a, now));
        consequence.write().ifPresent(this::write);
    }

    void restored() {
        long now = clock.nanos();
        Restored restored = shared.restored(clock.epochMicros(now));
        restored.adopted().forEach(a -> adopt(a, now));
        restored.writes().forEach(this::write);
    }

    void sweep() {
        shared.sweep(clock.epochMicros(clock.nanos())).forEach(this::write);
    }

    private void adopt(Adopted home, long now) {
        long agoMicros = Math.max(0, clock.epochMicros(now) - home.lastUsedUs());
        router.sessions().adopt(home.session(), home.replica(), now - TimeUnit.MICROSECONDS.toNanos(agoMicros), now);
    }

    private void write(Home home) {
        events.publish(router -> home);
    }
}

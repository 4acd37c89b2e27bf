package dev.warmroute.recorder.verify;

import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the routers of a trace believed at a moment, as far as their events say.
 *
 * @param at the moment, RFC 3339
 * @param events events up to it
 * @param lastEvent {@code ce_id} of the last of them
 * @param routers every router process that had written by then
 * @param models policy and replicas of every model
 * @param engines what was last read from each engine
 * @param inFlight requests that had been sent on and had not ended, the oldest first
 * @param homes home of every conversation that has one, in order of their names
 */
public record RouterState(
        String at,
        long events,
        String lastEvent,
        List<Router> routers,
        List<Model> models,
        List<Engine> engines,
        List<InFlight> inFlight,
        List<Home> homes) {
    public RouterState {
        routers = List.copyOf(routers);
        models = List.copyOf(models);
        engines = List.copyOf(engines);
        inFlight = List.copyOf(inFlight);
        homes = List.copyOf(homes);
    }

    /**
     * A router process.
     *
     * @param running whether it had not said that it stopped
     * @param sequence number of its last event
     */
    public record Router(String instance, long epoch, Optional<String> version, boolean running, long sequence) {}

    /**
     * A model at one router.
     *
     * @param policy the policy in force; empty when no event says
     */
    public record Model(String router, String model, Optional<PolicyIdentity> policy, List<Replica> replicas) {
        public Model {
            replicas = List.copyOf(replicas);
        }
    }

    /**
     * A replica as its router saw it.
     *
     * @param usable whether it could be chosen
     * @param reason why not; empty when it could
     * @param inFlight requests there that had not ended
     * @param homes conversations at home there
     * @param liveSessions of these the ones that had spoken recently, at the last decision
     */
    public record Replica(String replica, boolean usable, String reason, int inFlight, long homes, int liveSessions) {}

    /**
     * What was last read from an engine.
     *
     * @param ageSeconds time since it was read
     * @param epoch how often it had been seen to start again
     */
    public record Engine(
            String router,
            String replica,
            int engine,
            double ageSeconds,
            int epoch,
            Optional<String> version,
            Map<String, Double> totals,
            Map<String, Double> gauges) {}

    /**
     * A request on its way.
     *
     * @param session the conversation; empty when nobody knows it
     * @param seconds time since it was sent on
     */
    public record InFlight(
            String request, String router, String model, String replica, String session, double seconds) {}

    /** A conversation's home. */
    public record Home(String session, String model, String replica) {}
}

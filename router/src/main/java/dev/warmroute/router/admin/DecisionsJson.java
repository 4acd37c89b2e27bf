package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.List;
import java.util.OptionalDouble;

/** The last decisions as JSON, each with its candidates and why. */
final class DecisionsJson {
    /** Enough of a hash to tell conversations apart by eye. */
    private static final int SHOWN = 8;

    private DecisionsJson() {}

    static ObjectNode of(List<RoutingDecision> decisions) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode list = root.putArray("decisions");
        decisions.forEach(d -> decision(list.addObject(), d));
        return root;
    }

    private static void decision(ObjectNode out, RoutingDecision d) {
        out.put("request_id", d.requestId())
                .put("attempt", d.attempt())
                .put("decided_us", d.decidedUs())
                .put("model", d.model())
                .put("session", shown(d.session()))
                .put("session_source", d.session().source())
                .put("policy", d.policy().name())
                .put("kind", d.kind().wireName())
                .put("chosen", d.chosen().orElse(null))
                .put("home_before", d.homeBefore().orElse(null))
                .put("home_after", d.homeAfter().orElse(null))
                .put("why", DecisionReason.of(d));
        number(out, "threshold", d.threshold());
        ArrayNode candidates = out.putArray("candidates");
        d.candidates().forEach(c -> candidate(candidates.addObject(), c));
    }

    private static void candidate(ObjectNode out, Candidate c) {
        out.put("replica", c.replica())
                .put("eligible", c.eligible())
                .put("reason", c.reason().orElse(null))
                .put("in_flight", c.inFlight())
                .put("live_sessions", c.liveSessions());
        number(out, "running", c.running());
        number(out, "waiting", c.waiting());
        number(out, "kv_usage", c.kvUsage());
        number(out, "score", c.score());
        if (c.predictedCachedTokens().isPresent()) {
            out.put("predicted_cached_tokens", c.predictedCachedTokens().getAsInt());
        } else {
            out.putNull("predicted_cached_tokens");
        }
    }

    private static void number(ObjectNode out, String name, OptionalDouble value) {
        if (value.isPresent()) {
            out.put(name, value.getAsDouble());
        } else {
            out.putNull(name);
        }
    }

    private static String shown(Session session) {
        return session.hash()
                .map(h -> cut(h) + session.agent().map(a -> "/" + cut(a)).orElse(""))
                .orElse(null);
    }

    private static String cut(String hash) {
        return hash.substring(0, Math.min(SHOWN, hash.length()));
    }
}

package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import java.nio.charset.StandardCharsets;

/**
 * A conversation's home is BLAKE2b-64(session) mod R over all R replicas, whatever their load: the placement that the farm
 * of seven cards used before LM Warden. While that replica cannot be used the next eligible one has the conversation.
 * Requests without a session go where the fewest requests are in flight.
 */
final class HashPolicy extends ConversationPolicy {
    private static final Needs NEEDS = Needs.of(Input.SESSION);

    HashPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        int r = bucket(request.session(), fleet.size());
        while (!fleet.replica(r).eligible()) {
            r = (r + 1) % fleet.size();
        }
        return Placement.withHome(fleet, r);
    }

    /** BLAKE2b with an 8-byte digest, read as a big-endian unsigned number, modulo {@code replicas}. */
    static int bucket(String session, int replicas) {
        byte[] digest = Blake2b.digest(session.getBytes(StandardCharsets.UTF_8), 8);
        long value = 0;
        for (byte b : digest) {
            value = (value << 8) | (b & 0xff);
        }
        return (int) Long.remainderUnsigned(value, replicas);
    }
}

package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.fleet.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fleets for tables of cases: one word a replica, {@code IN_FLIGHT/LIVE_SESSIONS} or
 * {@code IN_FLIGHT/LIVE_SESSIONS/KV_USAGE@AGE_MS}; {@code *} in front marks the home, {@code x} one that may not be chosen.
 */
final class FleetText {
    private FleetText() {}

    static FleetView view(String text) {
        return view(text, 0);
    }

    static FleetView view(String text, long cursor) {
        List<ReplicaView> replicas = new ArrayList<>();
        int home = FleetView.NONE;
        for (String word : text.trim().split("\\s+")) {
            if (word.indexOf('*') >= 0) {
                home = replicas.size();
            }
            boolean eligible = word.indexOf('x') < 0;
            String[] numbers = word.replaceAll("[*x]", "").split("/");
            Signals signals = Signals.NONE;
            if (numbers.length == 3) {
                String[] kv = numbers[2].split("@");
                signals = new Signals(0, 0, Double.parseDouble(kv[0]), Long.parseLong(kv[1]));
            }
            replicas.add(new ReplicaView(
                    "r" + replicas.size(),
                    eligible,
                    eligible ? "" : "down",
                    Integer.parseInt(numbers[0]),
                    Integer.parseInt(numbers[1]),
                    signals,
                    -1,
                    Map.of()));
        }
        return new FleetView(replicas, home, Map.of(Input.CURSOR.wireName(), (double) cursor));
    }

    static RoutingRequest request(String session) {
        return new RoutingRequest(session, 100, 42);
    }

    /** {@code KIND REPLICA HOME}, with {@code -} for none. */
    static String words(Placement p) {
        return p.kind().wireName() + ' ' + index(p.replica()) + ' ' + index(p.home());
    }

    private static String index(int replica) {
        return replica == FleetView.NONE ? "-" : Integer.toString(replica);
    }
}

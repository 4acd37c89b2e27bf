package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.fleet.Signals;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fleets for tables of cases: one word a replica, {@code IN_FLIGHT/LIVE_SESSIONS} or
 * {@code IN_FLIGHT/LIVE_SESSIONS/KV_USAGE@AGE_MS}; {@code *} in front marks the home, {@code x} one that may not be chosen. Behind
 * it {@code ;NAME=VALUE} for {@code cached}, {@code running}, {@code waiting}, {@code kv} (just read) and the inputs of replicas,
 * which are 0 otherwise. A word {@code @NAME=VALUE} is an input of the model.
 */
final class FleetText {
    /** Not there unless a case says so. */
    private static final Set<Input> ABSENT = EnumSet.of(Input.CAPACITY_TOKENS, Input.LONGEST_IDLE);

    private FleetText() {}

    static FleetView view(String text) {
        List<ReplicaView> replicas = new ArrayList<>();
        Map<String, Double> model = new HashMap<>();
        int home = FleetView.NONE;
        for (String word : text.trim().split("\\s+")) {
            if (word.startsWith("@")) {
                String[] pair = word.substring(1).split("=");
                model.put(pair[0], Double.valueOf(pair[1]));
                continue;
            }
            if (word.indexOf('*') >= 0) {
                home = replicas.size();
            }
            replicas.add(replica("r" + replicas.size(), word));
        }
        return new FleetView(replicas, home, model);
    }

    static FleetView view(String text, long cursor) {
        return view("@cursor=" + cursor + ' ' + text);
    }

    private static ReplicaView replica(String id, String word) {
        String[] parts = word.split(";");
        boolean eligible = parts[0].indexOf('x') < 0;
        String[] numbers = parts[0].replaceAll("[*x]", "").split("/");
        Map<String, Double> values = new HashMap<>();
        for (Input input : Input.values()) {
            if (input.scope() == Input.Scope.REPLICA && !ABSENT.contains(input)) {
                values.put(input.wireName(), 0.0);
            }
        }
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=");
            values.put(pair[0], Double.valueOf(pair[1]));
        }
        Double cached = values.remove("cached");
        return new ReplicaView(
                id,
                eligible,
                eligible ? "" : "down",
                Integer.parseInt(numbers[0]),
                Integer.parseInt(numbers[1]),
                signals(numbers, values),
                cached == null ? -1 : cached.intValue(),
                values);
    }

    private static Signals signals(String[] numbers, Map<String, Double> values) {
        if (numbers.length == 3) {
            String[] kv = numbers[2].split("@");
            return new Signals(0, 0, Double.parseDouble(kv[0]), Long.parseLong(kv[1]));
        }
        Double running = values.remove("running");
        Double waiting = values.remove("waiting");
        Double kv = values.remove("kv");
        return running == null && waiting == null && kv == null
                ? Signals.NONE
                : new Signals(or0(running), or0(waiting), or0(kv), 0);
    }

    private static double or0(Double value) {
        return value == null ? 0 : value;
    }

    /** {@code NAME} or {@code NAME:PARAMETER=VALUE:...}, for engines with 32 sequences. */
    static RoutingPolicy policy(String text) {
        String[] parts = text.split(":");
        Map<String, String> parameters = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=");
            parameters.put(pair[0], pair[1]);
        }
        return Policies.create(parts[0], parameters, 32);
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

package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A consistent-hash ring: every replica at {@code points} places on a circle of 64-bit hashes, by its id alone. A key belongs to
 * the next place clockwise; a replica more or less moves only the keys that it gets or had.
 */
final class HashRing {
    /** The ring of no replicas. */
    static final HashRing EMPTY = new HashRing(List.of(), 1);

    private final List<String> ids;
    private final long[] places;
    private final int[] owners;

    private HashRing(List<String> ids, int points) {
        this.ids = ids;
        long[] hashes = new long[ids.size() * points];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = KeyHash.of(KeyHash.of(ids.get(i / points)), i % points + 1);
        }
        int[] order = IntStream.range(0, hashes.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(i -> hashes[i]).thenComparingInt(i -> i))
                .mapToInt(i -> i)
                .toArray();
        places = Arrays.stream(order).mapToLong(i -> hashes[i]).toArray();
        owners = Arrays.stream(order).map(i -> i / points).toArray();
    }

    /** The ring over a fleet's replicas: this one, if they are its own. */
    HashRing over(FleetView fleet, int points) {
        if (ids.size() == fleet.size() && places.length == ids.size() * points) {
            int same = 0;
            while (same < ids.size() && ids.get(same).equals(fleet.replica(same).id())) {
                same++;
            }
            if (same == ids.size()) {
                return this;
            }
        }
        return new HashRing(fleet.replicas().stream().map(ReplicaView::id).toList(), points);
    }

    /** Index of the first replica clockwise from a key that is accepted; {@link FleetView#NONE} when none is. */
    int first(long key, IntPredicate accepted) {
        int found = Arrays.binarySearch(places, key);
        int from = found >= 0 ? found : -found - 1;
        for (int i = 0; i < places.length; i++) {
            int owner = owners[(from + i) % places.length];
            if (accepted.test(owner)) {
                return owner;
            }
        }
        return FleetView.NONE;
    }
}

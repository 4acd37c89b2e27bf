package dev.warmroute.router.state;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which conversations have a place on which replica: room in its cache that a policy has promised them. A conversation that has
 * been idle for longer than the release time has a place that another may have; until one does, it is still its own. Nobody here
 * knows a conversation's last turn.
 */
final class Places {
    private static final class Place {
        private final String session;
        private final String replica;
        private int inFlight;
        private long idleSince;

        Place(String session, String replica) {
            this.session = session;
            this.replica = replica;
        }
    }

    /** The places of one replica. */
    private static final class Room {
        private int busy;
        /** Places between turns, the longest idle first. */
        private final Map<String, Place> idle = new LinkedHashMap<>();

        int size() {
            return busy + idle.size();
        }

        Place longestIdle() {
            return idle.isEmpty() ? null : idle.values().iterator().next();
        }
    }

    private static final Room EMPTY = new Room();

    private final Map<String, Place> bySession = new HashMap<>();
    private final Map<String, Room> rooms = new HashMap<>();

    /** Replica on which a conversation has its place, or the empty string. */
    String of(String session) {
        Place place = bySession.get(session);
        return place == null ? "" : place.replica;
    }

    /** Conversations with a place on a replica. */
    int on(String replica) {
        return room(replica).size();
    }

    /** Those among them that have been idle for at least so long. */
    int lapsed(String replica, long releaseNanos, long now) {
        int n = 0;
        for (Place place : room(replica).idle.values()) {
            if (now - place.idleSince < releaseNanos) {
                break;
            }
            n++;
        }
        return n;
    }

    /** For how long the conversation has been idle that has been so longest, in nanoseconds; -1 when none is between turns. */
    long longestIdleNanos(String replica, long now) {
        Place longest = room(replica).longestIdle();
        return longest == null ? -1 : now - longest.idleSince;
    }

    /** When the next place lapses, or {@link Long#MAX_VALUE}. */
    long nextLapse(long releaseNanos, long now) {
        long next = Long.MAX_VALUE;
        for (Room room : rooms.values()) {
            for (Place place : room.idle.values()) {
                if (now - place.idleSince < releaseNanos) {
                    next = Math.min(next, place.idleSince + releaseNanos);
                    break;
                }
            }
        }
        return next;
    }

    /**
     * A turn of a conversation begins on a replica, where it has its place from now on. If the replica has no place left, the
     * conversations that have been idle longest lose theirs; those with a turn under way keep them.
     *
     * @param capacity places that the replica has
     */
    void begin(String session, String replica, int capacity) {
        Place place = bySession.get(session);
        if (place != null && !place.replica.equals(replica)) {
            if (place.inFlight > 0) {
                return; // another turn of it is under way elsewhere, and that is where its place is
            }
            remove(place);
            place = null;
        }
        Room room = rooms.computeIfAbsent(replica, r -> new Room());
        if (place == null) {
            while (room.size() >= capacity && !room.idle.isEmpty()) {
                remove(room.longestIdle());
            }
            place = new Place(session, replica);
            bySession.put(session, place);
            room.busy++;
        } else if (place.inFlight == 0) {
            room.idle.remove(session);
            room.busy++;
        }
        place.inFlight++;
    }

    /** A turn that had begun on a replica has ended. */
    void end(String session, String replica, long now) {
        Place place = bySession.get(session);
        if (place == null || !place.replica.equals(replica) || place.inFlight == 0) {
            return; // it was sent before places were kept, or had none there
        }
        place.inFlight--;
        if (place.inFlight == 0) {
            place.idleSince = now;
            Room room = rooms.get(replica);
            room.busy--;
            room.idle.put(session, place);
        }
    }

    /** A conversation between turns gives its place up. */
    void giveUp(String session) {
        Place place = bySession.get(session);
        if (place != null && place.inFlight == 0) {
            remove(place);
        }
    }

    /** Forgets places that have been idle for so long. */
    void expire(long idleNanos, long now) {
        for (Room room : rooms.values()) {
            Iterator<Place> places = room.idle.values().iterator();
            while (places.hasNext()) {
                Place place = places.next();
                if (now - place.idleSince < idleNanos) {
                    break;
                }
                places.remove();
                bySession.remove(place.session);
            }
        }
    }

    void forgetReplica(String replica) {
        rooms.remove(replica);
        bySession.values().removeIf(p -> p.replica.equals(replica));
    }

    private void remove(Place place) {
        bySession.remove(place.session);
        rooms.get(place.replica).idle.remove(place.session);
    }

    private Room room(String replica) {
        return rooms.getOrDefault(replica, EMPTY);
    }
}

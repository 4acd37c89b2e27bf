package dev.warmroute.router.state;

import dev.warmroute.router.event.Home;
import dev.warmroute.router.state.SharedHomes.Consequence;
import dev.warmroute.router.state.SharedHomes.Restored;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Some routers and one log, with everything that can happen between them, one step at a time. */
final class HomesWorld {
    static final long IDLE_US = 100 * SharedHomes.TOUCH_US;
    private static final String MODEL = "m";

    /** The log: offset to record; compaction leaves holes. */
    private final TreeMap<Long, Home> log = new TreeMap<>();

    private final List<Router> routers = new ArrayList<>();
    private final Random random;
    private final int conversations;
    private final int replicas;
    private long nextOffset;
    private long nowUs = 1_000_000_000;

    /** A router: what it shares, and what it goes by. */
    final class Router {
        private final String name;
        private SharedHomes shared;
        private Sessions sessions;
        private final Deque<Home> outbox = new ArrayDeque<>();
        private long position;
        private long restoredAt;
        private boolean restoring;

        Router(String name) {
            this.name = name;
            start();
        }

        private void start() {
            shared = new SharedHomes(name, MODEL, IDLE_US, 1000);
            sessions = new Sessions(IDLE_US, IDLE_US / 10, 1000);
            outbox.clear();
            position = 0;
            restoredAt = nextOffset;
            restoring = true;
            restoredWhenRead();
        }

        private void restoredWhenRead() {
            if (restoring && (position >= restoredAt || log.ceilingKey(position) == null)) {
                restoring = false;
                Restored r = shared.restored(nowUs);
                r.adopted().forEach(this::adopt);
                outbox.addAll(r.writes());
            }
        }

        private void adopt(SharedHomes.Adopted a) {
            sessions.adopt(a.session(), a.replica(), a.lastUsedUs(), nowUs);
        }

        void use(String session, String replica) {
            sessions.use(session, replica, nowUs);
            shared.used(session, replica, nowUs).ifPresent(outbox::add);
        }

        void readOne() {
            Map.Entry<Long, Home> next = log.ceilingEntry(position);
            if (next != null) {
                Consequence c = shared.read(next.getValue(), next.getKey(), nowUs);
                c.adopted().ifPresent(this::adopt);
                c.write().ifPresent(outbox::add);
                position = next.getKey() + 1;
            }
            restoredWhenRead();
        }

        void readAll() {
            while (log.ceilingKey(position) != null) {
                readOne();
            }
            restoredWhenRead();
        }

        void writeOne() {
            Home home = outbox.poll();
            if (home != null) {
                log.put(nextOffset++, home);
            }
        }

        Map<String, String> homes() {
            Map<String, String> homes = new TreeMap<>();
            for (int s = 0; s < conversations; s++) {
                String home = sessions.home("s" + s, nowUs);
                if (!home.isEmpty()) {
                    homes.put("s" + s, home);
                }
            }
            return homes;
        }
    }

    HomesWorld(long seed, int routers, int conversations, int replicas) {
        this.random = new Random(seed);
        this.conversations = conversations;
        this.replicas = replicas;
        for (int i = 0; i < routers; i++) {
            this.routers.add(new Router("router-" + i));
        }
    }

    List<Router> routers() {
        return routers;
    }

    /** What a router finds that starts now. */
    Map<String, String> foundByAFreshRouter() {
        Router fresh = new Router("fresh");
        fresh.readAll();
        return fresh.homes();
    }

    private Router any() {
        return routers.get(random.nextInt(routers.size()));
    }

    /** A conversation mostly stays at home, and sometimes goes elsewhere. */
    private void useAny() {
        Router router = any();
        String session = "s" + random.nextInt(conversations);
        String home = router.sessions.home(session, nowUs);
        router.use(session, !home.isEmpty() && random.nextInt(4) > 0 ? home : "r" + random.nextInt(replicas));
    }

    /** One step in which nothing goes wrong. */
    void step() {
        switch (random.nextInt(4)) {
            case 0 -> useAny();
            case 1 -> any().writeOne();
            case 2 -> any().readOne();
            default -> nowUs += random.nextInt(10) == 0 ? SharedHomes.TOUCH_US : 1000;
        }
    }

    /** One step in which writes get lost, routers are killed and started again, homes expire, and the log is compacted. */
    void roughStep() {
        switch (random.nextInt(40)) {
            case 0 -> any().start();
            case 1 -> any().outbox.poll();
            case 2 -> compact();
            case 3 -> {
                nowUs += random.nextInt(8) == 0 ? 2 * IDLE_US : 0;
                Router router = any();
                router.outbox.addAll(router.shared.sweep(nowUs));
            }
            default -> step();
        }
    }

    /** Removes records of a first part of the log that have a later one in that part. */
    void compact() {
        compact(nextOffset == 0 ? 0 : random.nextLong(nextOffset + 1));
    }

    void compactAll() {
        compact(nextOffset);
    }

    private void compact(long upTo) {
        Set<String> seen = new HashSet<>();
        log.headMap(upTo, false)
                .descendingMap()
                .entrySet()
                .removeIf(e -> !seen.add(e.getValue().key()));
    }

    /** Every router uses every conversation once more, where it is at home. */
    void useAllAtHome() {
        nowUs += SharedHomes.TOUCH_US;
        for (Router router : routers) {
            router.homes().forEach(router::use);
        }
    }

    /** Everything is written and read, and what follows from that, until nothing follows any more. */
    void settle() {
        for (int round = 0; round < 1000; round++) {
            boolean quiet = true;
            for (Router router : routers) {
                quiet &= router.outbox.isEmpty() && log.ceilingKey(router.position) == null;
                while (!router.outbox.isEmpty()) {
                    router.writeOne();
                }
            }
            routers.forEach(Router::readAll);
            if (quiet) {
                return;
            }
        }
        throw new AssertionError("the routers never stop writing");
    }
}

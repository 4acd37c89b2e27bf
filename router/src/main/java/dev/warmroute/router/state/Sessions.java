package dev.warmroute.router.state;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * The conversations and their homes: at most {@code maxSessions}, the longest unused first to go; a conversation is
 * forgotten after {@code idleNanos} without a request and counts as live for {@code liveNanos} after its last one.
 */
public final class Sessions {
    private static final long NEVER = Long.MIN_VALUE;

    private static final class Entry {
        private final String session;
        private String home;
        private String firstHome;
        private long lastUsed;
        private long tokens = -1;
        private long endedAt = NEVER;
        private boolean live;

        Entry(String session, String home) {
            this.session = session;
            this.firstHome = home;
        }
    }

    private record Use(Entry entry, long at) {}

    private long idleNanos;
    private long liveNanos;
    private final int maxSessions;
    /** In order of last use, the longest unused first. */
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();
    /** Uses in order of time; an entry stops being live when its own last use leaves the window. */
    private final ArrayDeque<Use> uses = new ArrayDeque<>();
    /** Uses that were heard of later, the earliest first: those within the live window, and all. */
    private final PriorityQueue<Use> liveElsewhere = new PriorityQueue<>(Comparator.comparingLong(Use::at));

    private final PriorityQueue<Use> usedElsewhere = new PriorityQueue<>(Comparator.comparingLong(Use::at));
    private final Map<String, Integer> live = new HashMap<>();

    public Sessions(long idleNanos, long liveNanos, int maxSessions) {
        this.idleNanos = idleNanos;
        this.liveNanos = liveNanos;
        this.maxSessions = maxSessions;
    }

    /** From now on conversations are forgotten and live by other times; what was forgotten does not come back. */
    void windows(long idle, long liveFor) {
        idleNanos = idle;
        liveNanos = liveFor;
    }

    /** Home of a conversation, or the empty string. */
    public String home(String session, long now) {
        expire(now);
        Entry entry = session.isEmpty() ? null : entries.get(session);
        return entry == null ? "" : entry.home;
    }

    /** The home that a conversation had first, or the empty string. */
    String firstHome(String session) {
        Entry entry = entries.get(session);
        return entry == null ? "" : entry.firstHome;
    }

    /** Tokens of a conversation up to its last answer; -1 when nobody knows. */
    long tokens(String session) {
        Entry entry = entries.get(session);
        return entry == null ? -1 : entry.tokens;
    }

    /** Takes note of a conversation's tokens up to its last answer. */
    void tokens(String session, long tokens) {
        Entry entry = entries.get(session);
        if (entry != null) {
            entry.tokens = tokens;
        }
    }

    /** A turn of a conversation has ended. */
    void ended(String session, long now) {
        Entry entry = entries.get(session);
        if (entry != null) {
            entry.endedAt = now;
        }
    }

    /** A conversation speaks; returns how long its last turn has been over, and -1 when it has had none or that was asked before. */
    long spoke(String session, long now) {
        Entry entry = entries.get(session);
        if (entry == null || entry.endedAt == NEVER) {
            return -1;
        }
        long gap = now - entry.endedAt;
        entry.endedAt = NEVER;
        return gap;
    }

    /** Conversations at home there that spoke within the live window. */
    public int live(String replica) {
        return live.getOrDefault(replica, 0);
    }

    public int size() {
        return entries.size();
    }

    /** Records a request of a conversation and its home after the decision. */
    public void use(String session, String home, long now) {
        expire(now);
        Entry known = entries.remove(session);
        Entry entry = known == null ? new Entry(session, home) : known;
        put(entry, home, now);
        live(entry);
        uses.addLast(new Use(entry, now));
    }

    /**
     * Records what another router, or this one before it was started again, did with a conversation.
     *
     * @param home its home now
     * @param lastUsed its last request there
     */
    public void adopt(String session, String home, long lastUsed, long now) {
        if (lastUsed <= now - idleNanos) {
            return;
        }
        expire(now);
        Entry known = entries.get(session);
        Entry entry = known == null ? new Entry(session, home) : known;
        long at = known == null ? lastUsed : Math.max(lastUsed, known.lastUsed);
        if (at == lastUsed) {
            entries.remove(session);
        }
        put(entry, home, at);
        Use use = new Use(entry, at);
        usedElsewhere.add(use);
        if (at > now - liveNanos) {
            live(entry);
            liveElsewhere.add(use);
        }
    }

    /** Puts a conversation at the end of the order of use, unless it has its place there. */
    private void put(Entry entry, String home, long lastUsed) {
        entries.putIfAbsent(entry.session, entry);
        retire(entry);
        if (entries.size() > maxSessions) {
            Iterator<Entry> eldest = entries.values().iterator();
            retire(eldest.next());
            eldest.remove();
        }
        entry.home = home;
        entry.lastUsed = lastUsed;
    }

    private void live(Entry entry) {
        entry.live = true;
        live.merge(entry.home, 1, Integer::sum);
    }

    /** Forgets every conversation at home on a replica; returns how many there were. */
    public int forgetReplica(String replica) {
        int before = entries.size();
        entries.values().removeIf(e -> {
            boolean gone = e.home.equals(replica);
            if (gone) {
                retire(e);
            }
            return gone;
        });
        return before - entries.size();
    }

    public void forget(String session) {
        Entry entry = entries.remove(session);
        if (entry != null) {
            retire(entry);
        }
    }

    private void expire(long now) {
        retireUses(uses, now);
        retireUses(liveElsewhere, now);
        while (!usedElsewhere.isEmpty() && usedElsewhere.peek().at <= now - idleNanos) {
            Use use = usedElsewhere.poll();
            if (use.entry.lastUsed == use.at) {
                retire(use.entry);
                entries.remove(use.entry.session, use.entry);
            }
        }
        Iterator<Entry> eldest = entries.values().iterator();
        while (eldest.hasNext()) {
            Entry entry = eldest.next();
            if (entry.lastUsed > now - idleNanos) {
                break;
            }
            retire(entry);
            eldest.remove();
        }
    }

    private void retireUses(Queue<Use> byTime, long now) {
        while (!byTime.isEmpty() && byTime.peek().at <= now - liveNanos) {
            Use use = byTime.poll();
            if (use.entry.lastUsed == use.at) {
                retire(use.entry);
            }
        }
    }

    private void retire(Entry entry) {
        if (entry.live) {
            entry.live = false;
            live.merge(entry.home, -1, (a, b) -> a + b == 0 ? null : a + b);
        }
    }
}

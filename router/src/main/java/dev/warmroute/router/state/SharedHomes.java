package dev.warmroute.router.state;

import dev.warmroute.router.event.Home;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The homes of one model's conversations, as several routers agree on them through a log that all write and all read in the
 * same order, and that may forget all but the last record of each conversation.
 *
 * <p>Of the records of a conversation the one with the highest generation counts, and among those of one generation the one
 * written first, that is, with the lowest offset. A router that gives a conversation another home writes the next generation
 * and routes by it at once; when it reads that another was first, it follows. A record that repeats a home names the offset
 * that this home was written at and counts as that record: so the order of two records does not depend on what compaction has
 * taken away. A router that reads that its own record lost says the winner again, because the last record is the one that
 * compaction keeps; what no router puts right, for example because it was stopped, the next one does that uses the
 * conversation or starts. Homes in use are said again every {@link #TOUCH_US}, so that others know that they are.
 *
 * <p>Until the log has been read once, the router's own placements are provisional and nothing is written. Afterwards they
 * stand, as the next generation, unless somebody has used the conversation's earlier home since.
 *
 * <p>Pure and not thread-safe. Times are microseconds since the epoch.
 */
public final class SharedHomes {
    /** How often a home in use is said again. */
    static final long TOUCH_US = TimeUnit.SECONDS.toMicros(60);

    private static final long PROVISIONAL = 0;

    private final String writer;
    private final String model;
    private final int maxHomes;
    private long idleUs;
    /** Roughly in order of last use; the longest unused goes first when there are too many. */
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();

    private boolean restored;

    /**
     * The home that the log has for a conversation.
     *
     * @param writtenAt offset of the first record of this home
     */
    private record Word(String replica, long generation, long writtenAt) {
        boolean beats(Word other) {
            if (generation != other.generation) {
                return generation > other.generation;
            }
            return writtenAt != other.writtenAt ? writtenAt < other.writtenAt : replica.compareTo(other.replica) < 0;
        }
    }

    private static final class Entry {
        private Optional<Word> word = Optional.empty();
        /** The log's last record is another than the one that counts. */
        private boolean disputed;
        /** Home that this router goes by; empty while it only knows what it has read so far. */
        private String home = "";

        private long generation = PROVISIONAL;
        /** When this router gave it that home. */
        private long sinceUs;

        private long usedHereUs;
        private long usedByLogUs;
        /** Latest use that the log tells of, or will. */
        private long toldUs;

        long usedUs() {
            return Math.max(usedHereUs, usedByLogUs);
        }

        boolean settled() {
            return word.isPresent()
                    && word.get().generation == generation
                    && word.get().replica.equals(home);
        }

        void follow() {
            home = word.orElseThrow().replica;
            generation = word.get().generation;
        }
    }

    /** A conversation that was used elsewhere, or has another home from now on, because of what others wrote. */
    public record Adopted(String session, String replica, long lastUsedUs) {}

    /**
     * What follows from a record.
     *
     * @param adopted a home that this router goes by, if it is another one or was used elsewhere since
     * @param write record to write
     */
    public record Consequence(Optional<Adopted> adopted, Optional<Home> write) {
        static final Consequence NONE = new Consequence(Optional.empty(), Optional.empty());
    }

    /**
     * What the log held when it had been read for the first time.
     *
     * @param adopted homes that this router now goes by, in order of their last use
     * @param writes records to write
     */
    public record Restored(List<Adopted> adopted, List<Home> writes) {}

    /**
     * @param writer name of this router, the same after a restart
     * @param idleUs time without a request after which a conversation's home does not matter any more
     * @param maxHomes remembered at most; what is dropped beyond that is learnt again from the log
     */
    public SharedHomes(String writer, String model, long idleUs, int maxHomes) {
        this.writer = writer;
        this.model = model;
        this.idleUs = idleUs;
        this.maxHomes = maxHomes;
    }

    public int size() {
        return entries.size();
    }

    /** From now on homes do not matter any more after another time. */
    public void idle(long microseconds) {
        idleUs = microseconds;
    }

    /**
     * Takes note of a request, and of its conversation's home after it.
     *
     * @return record to write, if any
     */
    public Optional<Home> used(String session, String replica, long nowUs) {
        Entry e = entry(session);
        e.usedHereUs = Math.max(e.usedHereUs, nowUs);
        boolean moved = !e.home.equals(replica);
        if (moved) {
            e.home = replica;
            e.sinceUs = nowUs;
        }
        if (!restored) {
            return Optional.empty();
        }
        if (moved) {
            e.generation++;
        }
        return moved || e.disputed || nowUs - e.toldUs >= TOUCH_US ? Optional.of(say(session, e)) : Optional.empty();
    }

    /** Takes the next record of the log. */
    public Consequence read(Home record, long offset, long nowUs) {
        return record.forgotten() ? forgotten(record.session(), nowUs) : home(record, offset, nowUs);
    }

    private Consequence home(Home record, long offset, long nowUs) {
        Entry e = entry(record.session());
        Word word =
                new Word(record.replica(), record.generation(), record.repeats().orElse(offset));
        // What nobody used for so long was forgotten, even if compaction has taken the word of it away.
        boolean forgottenBetween = record.lastUsedUs() - e.usedByLogUs >= 2 * idleUs;
        if (e.word.isEmpty() || forgottenBetween || word.beats(e.word.get())) {
            e.word = Optional.of(word);
        }
        Word counts = e.word.get();
        e.disputed = !(counts.replica.equals(word.replica) && counts.generation == word.generation);
        boolean usedSince = record.lastUsedUs() > e.usedUs();
        e.usedByLogUs = Math.max(e.usedByLogUs, record.lastUsedUs());
        e.toldUs = Math.max(e.toldUs, record.lastUsedUs());
        // A record of this router's own that counts more is on its way, unless it got lost long ago.
        boolean ownIsComing = counts.generation < e.generation && nowUs - e.usedHereUs < idleUs;
        if (!restored || ownIsComing) {
            return Consequence.NONE;
        }
        boolean adopts = usedSince || !counts.replica.equals(e.home);
        e.follow();
        return new Consequence(
                adopts ? Optional.of(adopted(record.session(), e)) : Optional.empty(),
                e.disputed && record.writer().equals(writer)
                        ? Optional.of(say(record.session(), e))
                        : Optional.empty());
    }

    private Consequence forgotten(String session, long nowUs) {
        Entry e = entries.get(session);
        if (e == null) {
            return Consequence.NONE;
        }
        e.word = Optional.empty();
        e.disputed = false;
        if (e.home.isEmpty() || (restored && nowUs - e.usedUs() >= idleUs)) {
            entries.remove(session);
            return Consequence.NONE;
        }
        return restored ? new Consequence(Optional.empty(), Optional.of(say(session, e))) : Consequence.NONE;
    }

    /** The log has been read once: from now on this router writes too. */
    public Restored restored(long nowUs) {
        restored = true;
        List<Adopted> adopted = new ArrayList<>();
        List<Home> writes = new ArrayList<>();
        entries.forEach((session, e) -> {
            if (e.home.isEmpty() || e.word.isPresent() && e.usedByLogUs >= e.sinceUs) {
                e.follow();
                if (nowUs - e.usedUs() < idleUs) {
                    adopted.add(adopted(session, e));
                }
            } else if (e.word.isPresent() && e.word.get().replica.equals(e.home)) {
                e.follow();
            } else {
                e.generation = e.word.map(w -> w.generation).orElse(PROVISIONAL) + 1;
                e.disputed = true; // nobody knows it yet
            }
            if (e.disputed) {
                writes.add(say(session, e));
            }
        });
        adopted.sort(Comparator.comparingLong(Adopted::lastUsedUs));
        return new Restored(adopted, writes);
    }

    /** Forgets conversations that no router has used for twice the idle time; returns what to write. */
    public List<Home> sweep(long nowUs) {
        List<Home> tombstones = new ArrayList<>();
        if (!restored) {
            return tombstones;
        }
        entries.entrySet().removeIf(each -> {
            Entry e = each.getValue();
            boolean old = nowUs - e.usedUs() >= 2 * idleUs;
            if (old && e.word.isPresent()) {
                tombstones.add(Home.tombstone(each.getKey(), model, writer, e.usedUs()));
            }
            return old;
        });
        return tombstones;
    }

    /** The entry of a conversation, now the last one in the order of use. */
    private Entry entry(String session) {
        Entry entry = entries.remove(session);
        if (entry == null) {
            entry = new Entry();
        }
        entries.put(session, entry);
        if (entries.size() > maxHomes) {
            Iterator<Entry> eldest = entries.values().iterator();
            eldest.next();
            eldest.remove();
        }
        return entry;
    }

    private static Adopted adopted(String session, Entry e) {
        return new Adopted(session, e.home, e.usedUs());
    }

    private Home say(String session, Entry e) {
        e.toldUs = e.usedUs();
        e.disputed = false; // unless what is read next says otherwise
        OptionalLong repeats = e.settled() ? OptionalLong.of(e.word.orElseThrow().writtenAt) : OptionalLong.empty();
        return new Home(session, model, e.home, e.generation, writer, e.usedUs(), repeats);
    }
}

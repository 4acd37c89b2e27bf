package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.TraceManifest.Facts;
import dev.warmroute.recorder.trace.TraceManifest.Lost;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Policy;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the manifest says about the events of a segment, gathered while they are written and added to the manifest when the
 * segment is listed. Also the sum over all segments. Not thread-safe.
 */
final class SegmentFacts {
    private static final EventCodec CODEC = new EventCodec();

    private final Set<String> routerVersions = new TreeSet<>();
    private final Set<String> engineVersions = new TreeSet<>();
    private final Set<String> saltIds = new TreeSet<>();
    private final Set<String> models = new TreeSet<>();
    private final Set<String> replicas = new TreeSet<>();
    private final Set<Policy> policies = new TreeSet<>();
    private final Map<Writer, SequenceSet> sequences = new TreeMap<>();
    private final List<Lost> lost = new ArrayList<>();
    private final List<OffsetGap> offsetGaps = new ArrayList<>();
    private final Map<Writer, Long> expired = new TreeMap<>();
    private long unreadable;
    private String lastSalt = "";
    private Policy lastPolicy;
    private Writer lastWriter;
    private SequenceSet lastSequences;

    /** Facts of the segments listed so far. */
    static SegmentFacts of(TraceManifest manifest) {
        SegmentFacts facts = new SegmentFacts();
        facts.routerVersions.addAll(manifest.facts().routerVersions());
        facts.engineVersions.addAll(manifest.facts().engineVersions());
        facts.saltIds.addAll(manifest.facts().saltIds());
        facts.models.addAll(manifest.facts().models());
        facts.replicas.addAll(manifest.facts().replicas());
        facts.policies.addAll(manifest.facts().policies());
        facts.unreadable = manifest.facts().unreadable();
        manifest.writers()
                .forEach(w ->
                        facts.sequences(new Writer(w.instance(), w.epoch())).addAll(new SequenceRanges(w.ranges())));
        facts.lost.addAll(manifest.lost());
        facts.offsetGaps.addAll(manifest.offsetGaps());
        manifest.expired().forEach(e -> facts.expire(new Writer(e.instance(), e.epoch()), e.through()));
        return facts;
    }

    void add(SegmentFacts other) {
        routerVersions.addAll(other.routerVersions);
        engineVersions.addAll(other.engineVersions);
        saltIds.addAll(other.saltIds);
        models.addAll(other.models);
        replicas.addAll(other.replicas);
        policies.addAll(other.policies);
        other.sequences.forEach((w, s) -> sequences(w).addAll(s));
        lost.addAll(other.lost);
        offsetGaps.addAll(other.offsetGaps);
        unreadable += other.unreadable;
    }

    /** Forgets a router process's numbers up to one that retention has dropped, and what was lost among them. */
    void expire(Writer writer, long through) {
        long upTo = expired.merge(writer, through, Math::max);
        SequenceSet known = sequences.get(writer);
        if (known != null) {
            known.dropThrough(upTo);
        }
        lost.removeIf(l -> l.instance().equals(writer.instance()) && l.epoch() == writer.epoch() && l.to() <= upTo);
    }

    /** Forgets the gaps of a partition before an offset. */
    void expireGaps(String topic, int partition, long before) {
        offsetGaps.removeIf(g -> g.topic().equals(topic) && g.partition() == partition && g.to() < before);
    }

    private SequenceSet sequences(Writer writer) {
        return sequences.computeIfAbsent(writer, w -> new SequenceSet());
    }

    /** Takes in a number of a router's sequence whose event is in a segment. */
    void sequence(Writer writer, long number) {
        if (!writer.equals(lastWriter)) {
            lastWriter = writer;
            lastSequences = sequences(writer);
        }
        lastSequences.add(number);
    }

    /** Offsets that the broker no longer had. */
    void gap(OffsetGap gap) {
        offsetGaps.add(gap);
    }

    /** Takes in an event. */
    void add(PreparedEvent prepared) {
        RecordedEvent event = prepared.event();
        TypedValues values = prepared.values();
        unreadable += prepared.readable() ? 0 : 1;
        prepared.writer().ifPresent(w -> sequence(w, event.sequence()));
        values.text("model").ifPresent(models::add);
        values.text("replica").ifPresent(replicas::add);
        values.text("chosen").ifPresent(replicas::add);
        values.text("engine_version").ifPresent(engineVersions::add);
        values.text("salt_id").ifPresent(saltIds::add);
        salt(event.saltId());
        if (event.topic() == Topic.DECISIONS) {
            policy(values);
        } else if (event.topic() == Topic.CONTROL && !event.tombstone()) {
            control(event);
        }
    }

    private void salt(String id) {
        if (!id.isEmpty() && !id.equals(lastSalt)) {
            lastSalt = id;
            saltIds.add(id);
        }
    }

    private void policy(TypedValues values) {
        if (values.text("policy").isPresent() && values.whole("policy_version").isPresent()) {
            Policy policy = new Policy(
                    values.text("policy").get(),
                    (int) values.whole("policy_version").getAsLong(),
                    values.text("config_hash").orElse(""));
            if (!policy.equals(lastPolicy)) {
                lastPolicy = policy;
                policies.add(policy);
            }
        }
    }

    private void control(RecordedEvent event) {
        ControlEvent decoded;
        try {
            decoded = (ControlEvent) CODEC.decode(EventType.named(event.type()), event.data());
        } catch (IllegalArgumentException | ClassCastException e) {
            return; // of another version; recorded, not understood
        }
        switch (decoded) {
            case ControlEvent.RouterStarted started -> {
                routerVersions.add(started.version());
                saltIds.add(started.saltId());
                started.models().forEach(m -> {
                    models.add(m.name());
                    replicas.addAll(m.replicas());
                });
            }
            case ControlEvent.ReplicaUp up -> up.engineVersion().ifPresent(engineVersions::add);
            case ControlEvent.EventsLost l ->
                lost.add(new Lost(
                        l.router().instance(),
                        l.router().epoch(),
                        l.fromSequence(),
                        l.toSequence(),
                        l.count().values().stream().mapToLong(Long::longValue).sum(),
                        l.reason()));
            default -> {
                // says nothing that the manifest keeps
            }
        }
    }

    Facts facts() {
        return new Facts(
                List.copyOf(routerVersions),
                List.copyOf(engineVersions),
                List.copyOf(saltIds),
                List.copyOf(models),
                List.copyOf(replicas),
                List.copyOf(policies),
                unreadable);
    }

    List<TraceManifest.WriterSequences> writers() {
        List<TraceManifest.WriterSequences> out = new ArrayList<>();
        sequences.forEach((w, s) -> {
            s.dropThrough(expired.getOrDefault(w, -1L));
            out.add(new TraceManifest.WriterSequences(
                    w.instance(), w.epoch(), s.ranges().ranges()));
        });
        return out;
    }

    List<TraceManifest.Expired> expired() {
        return expired.entrySet().stream()
                .map(e -> new TraceManifest.Expired(
                        e.getKey().instance(), e.getKey().epoch(), e.getValue()))
                .toList();
    }

    List<Lost> lost() {
        return lost;
    }

    List<OffsetGap> offsetGaps() {
        return offsetGaps;
    }

    /** Holes in the sequences that no {@code events.lost} accounts for. */
    List<TraceManifest.Missing> missing() {
        List<TraceManifest.Missing> out = new ArrayList<>();
        sequences.forEach((writer, seen) -> {
            seen.dropThrough(expired.getOrDefault(writer, -1L));
            SequenceRanges known = seen.ranges();
            if (known.isEmpty()) {
                return;
            }
            long first = known.ranges().getFirst().from();
            long last = known.ranges().getLast().to();
            for (Lost l : lost) {
                if (l.instance().equals(writer.instance())
                        && l.epoch() == writer.epoch()
                        && l.to() >= first
                        && l.from() <= last) {
                    known.add(Math.max(first, l.from()), Math.min(last, l.to()));
                }
            }
            known.holes()
                    .forEach(h ->
                            out.add(new TraceManifest.Missing(writer.instance(), writer.epoch(), h.from(), h.to())));
        });
        return out;
    }
}

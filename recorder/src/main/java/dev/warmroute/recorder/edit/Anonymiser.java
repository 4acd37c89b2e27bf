package dev.warmroute.recorder.edit;

import dev.warmroute.recorder.trace.DerivedTrace;
import dev.warmroute.recorder.trace.DerivedTrace.Absent;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.EventPreparer;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import dev.warmroute.recorder.trace.TraceStep;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import dev.warmroute.recorder.verify.Derivation;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.session.Salt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A trace under another salt: every id in it is hashed once more, while everything that belongs together still does. Whoever
 * has the old salt, or a list of ids (of conversations, of prompts already hashed), finds none of them in it. It hides nothing
 * from whoever has the trace it was made from: offsets, sequence numbers, event ids, times and sizes stay, and each of them
 * joins the two event by event; times and sizes may do so with other logs of the same requests. Addresses of replicas are
 * removed; names of replicas, routers and models stay. An event that this warmroute cannot read is refused, and fields that it
 * does not know are left out: either could hold an id.
 */
public final class Anonymiser {
    static final String ACTION = "anonymise";

    private final EventCodec codec = new EventCodec();
    private final Ids ids;
    private final Derivation derivation = new Derivation();
    private final Set<String> notDerived = new TreeSet<>();

    private Anonymiser(Salt salt) {
        this.ids = new Ids(salt);
    }

    /**
     * Makes the trace.
     *
     * @param out directory of the new trace; not there yet, or empty
     * @return the manifest of the new trace
     * @throws UserError if the trace is under this salt already, or holds something that cannot be read
     */
    public static TraceManifest run(Recording source, Salt salt, Path out, String writtenBy) {
        if (source.manifest().facts().saltIds().contains(salt.id())) {
            throw new UserError(source.directory() + " is under the salt " + salt.id() + " already; take another one");
        }
        return new Anonymiser(salt).run(source, out, writtenBy, salt);
    }

    private TraceManifest run(Recording source, Path out, String writtenBy, Salt salt) {
        EventPreparer preparer = new EventPreparer();
        try (DerivedTrace trace = DerivedTrace.create(out, writtenBy, source.manifest())) {
            for (Topic topic : Topic.values()) {
                try (EventCursor events = source.events(topic)) {
                    while (events.hasNext()) {
                        trace.append(preparer.prepare(anonymised(events.next(), salt.id())));
                    }
                }
            }
            List<TraceStep> history = new ArrayList<>(source.manifest().history());
            history.add(step(source, salt));
            TraceManifest m = source.manifest();
            boolean ofSome = m.leftOut() == LeftOut.OTHERS;
            List<WriterSequences> here = trace.writers();
            return trace.finish(
                    history,
                    new Absent(m.lost(), source.sequences().missing(), m.offsetGaps(), m.expired()),
                    ofSome ? Numbers.ends(here) : here);
        }
    }

    private TraceStep step(Recording source, Salt salt) {
        List<String> accounting = new ArrayList<>();
        accounting.add("decisions: "
                + (notDerived.isEmpty()
                        ? "all are derived from the new ids as from the old ones"
                        : "those of " + String.join(", ", notDerived)
                                + " are not derived, because it places by hashes that were replaced"));
        accounting.add("all others: as in the trace it was made from");
        return new TraceStep(
                ACTION,
                "from salt " + String.join(", ", source.manifest().facts().saltIds()) + " to " + salt.id(),
                List.of(source.sha256()),
                LeftOut.NOTHING,
                List.of(),
                List.copyOf(notDerived),
                accounting);
    }

    /** A decision that follows from its event with the old ids only was taken by a policy that places by them. */
    private void compare(RoutingDecision before, RoutingDecision after) {
        if (!notDerived.contains(before.policy().name())
                && !derivation.differences(after).isEmpty()
                && derivation.differences(before).isEmpty()) {
            notDerived.add(before.policy().name());
        }
    }

    private RecordedEvent anonymised(RecordedEvent e, String saltId) {
        Event event;
        if (e.tombstone()) {
            event = Home.tombstone(e.key());
        } else {
            try {
                event = e.event(codec);
            } catch (IllegalArgumentException x) {
                throw new UserError(
                        "the event at " + e.place() + " cannot be read, so nobody can say which ids are in it: "
                                + x.getMessage() + "; cut it out, or take the warmroute that wrote it",
                        x);
            }
        }
        Event under = ids.replaced(event, saltId);
        if (event instanceof RoutingDecision before) {
            compare(before, (RoutingDecision) under);
        }
        return new RecordedEvent(
                e.topic(),
                e.partition(),
                e.offset(),
                e.timestampMs(),
                e.key().isEmpty() ? "" : under.key(),
                e.id(),
                e.tombstone() ? e.type() : EventType.of(under).wireName(),
                e.source(),
                under.subject(),
                e.time(),
                e.sequence(),
                saltId,
                e.tombstone() ? e.data() : codec.encode(under));
    }
}

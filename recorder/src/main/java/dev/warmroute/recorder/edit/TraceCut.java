package dev.warmroute.recorder.edit;

import dev.warmroute.recorder.trace.DerivedTrace;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.EventPreparer;
import dev.warmroute.recorder.trace.PreparedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import dev.warmroute.recorder.trace.TraceStep;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import dev.warmroute.recorder.verify.RequestIdSet;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A part of a trace: from one time to another, of some conversations, of some models. Events that are about no conversation
 * (counters, what happened to routers and replicas) are kept whichever conversations are, a prompt if its request is. Streams,
 * in constant memory; where models are named, in 32 bytes a request that is kept.
 *
 * @param fromUs time of the first event to keep, microseconds since the epoch; empty for the beginning
 * @param toUs time of the first event no longer to keep; empty for the end
 * @param sessions hashes of the conversations to keep, or what they begin with; empty for all
 * @param models models to keep; empty for all
 */
public record TraceCut(OptionalLong fromUs, OptionalLong toUs, Set<String> sessions, Set<String> models) {
    private static final List<String> AT_THE_EDGES = List.of(
            "completions: what was decided before the first event and ended after it has no decision here, what had not ended"
                    + " at the last has no completion; both are counted and are no fault",
            "in_flight: counting begins with the figures of the first decision on each replica",
            "counters: sums begin with the first scrape of each engine; its delta reaches back to before it and is not asked",
            "tokens: sums begin at the first moment at which a replica is idle",
            "homes: compared from the first decision about each conversation on",
            "sequences: numbers left out at the edges are named in numbers_left_out; any other missing one is a fault",
            "prompts: one that goes on from a prompt before the first event keeps its length, not what it shares with it");
    private static final List<String> OF_SOME = List.of(
            "completions: exactly one for each request that is here",
            "in_flight: a candidate had at least as many as are here; the others' are not",
            "counters: exact, they are of all conversations",
            "tokens: the engines counted at least what the requests that are here report",
            "homes: exact",
            "prompts: those of the requests that are here",
            "sequences: only their order is asked, for the others' numbers are not here");

    public TraceCut {
        sessions = Set.copyOf(sessions);
        models = Set.copyOf(models);
        if (fromUs.isPresent() && toUs.isPresent() && fromUs.getAsLong() >= toUs.getAsLong()) {
            throw new UserError(
                    "nothing lies between " + time(fromUs) + " and " + time(toUs) + ": --from must be before --to");
        }
        if (fromUs.isEmpty() && toUs.isEmpty() && sessions.isEmpty() && models.isEmpty()) {
            throw new UserError("say what to keep: from when, to when, which conversations or which models");
        }
    }

    /**
     * Cuts a trace.
     *
     * @param out directory of the new trace; not there yet, or empty
     * @return the manifest of the new trace
     * @throws UserError if nothing is left, a conversation or a model is not there, or a segment is damaged
     */
    public TraceManifest run(Recording source, Path out, String writtenBy) {
        EventPreparer preparer = new EventPreparer();
        try (DerivedTrace cut = DerivedTrace.create(out, writtenBy, source.manifest())) {
            Found found = new Found();
            boolean any = false;
            for (Topic topic : Topic.values()) {
                try (EventCursor events = source.events(topic, s -> overlaps(s.firstTimeUs(), s.lastTimeUs()))) {
                    while (events.hasNext()) {
                        PreparedEvent event = preparer.prepare(events.next());
                        if (keeps(event, found)) {
                            cut.append(event);
                            any = true;
                        }
                    }
                }
            }
            if (!any || found.sessions.size() < sessions.size() || !found.models.containsAll(models)) {
                throw nothing(source, found);
            }
            return finish(source, cut);
        }
    }

    /** What has been seen of what was asked for. */
    private static final class Found {
        private final Set<String> sessions = new HashSet<>();
        private final Set<String> models = new HashSet<>();
        /** Requests that were kept; a prompt, which names no model, comes after its request. */
        private final RequestIdSet requests = new RequestIdSet();
    }

    private boolean overlaps(long firstUs, long lastUs) {
        return (fromUs.isEmpty() || lastUs >= fromUs.getAsLong()) && (toUs.isEmpty() || firstUs < toUs.getAsLong());
    }

    private boolean keeps(PreparedEvent event, Found found) {
        long at = event.event().timeUs();
        if (!overlaps(at, at)) {
            return false;
        }
        return switch (event.event().topic()) {
            case CONTROL, COUNTERS -> true;
            case PROMPTS ->
                (models.isEmpty() || found.requests.contains(event.event().subject())) && ofSession(event, found);
            case DECISIONS, REQUESTS -> {
                boolean kept = ofModel(event, found) && ofSession(event, found);
                if (kept && !models.isEmpty()) {
                    found.requests.add(event.event().subject());
                }
                yield kept;
            }
            case HOMES -> ofModel(event, found) && ofSession(event, found);
        };
    }

    private boolean ofModel(PreparedEvent event, Found found) {
        if (models.isEmpty() || event.model().isEmpty()) {
            return true;
        }
        String model = event.model().get();
        boolean wanted = models.contains(model);
        if (wanted) {
            found.models.add(model);
        }
        return wanted;
    }

    private boolean ofSession(PreparedEvent event, Found found) {
        if (sessions.isEmpty()) {
            return true;
        }
        String session = event.session().orElse("");
        for (String wanted : sessions) {
            if (session.startsWith(wanted)) {
                found.sessions.add(wanted);
                return true;
            }
        }
        return false;
    }

    private UserError nothing(Recording source, Found found) {
        String when = fromUs.isPresent() || toUs.isPresent() ? " between these times" : "";
        List<String> noModels =
                models.stream().filter(m -> !found.models.contains(m)).sorted().toList();
        if (!noModels.isEmpty()) {
            return new UserError(source.directory() + " has no request of a model " + String.join(", nor of ", noModels)
                    + when + "; its models are "
                    + String.join(", ", source.manifest().facts().models()));
        }
        for (String wanted : sessions) {
            if (!found.sessions.contains(wanted)) {
                return new UserError(source.directory() + " has no conversation " + wanted + when
                        + "; conversations are named by their hash, which 'trace head' shows");
            }
        }
        TraceManifest m = source.manifest();
        return new UserError(source.directory() + " has no event from " + time(fromUs) + " to " + time(toUs)
                + "; it reaches from " + time(m.firstTimeUs()) + " to " + time(m.lastTimeUs()));
    }

    private TraceManifest finish(Recording source, DerivedTrace cut) {
        Recording.Sequences all = source.sequences();
        List<WriterSequences> kept = cut.writers();
        boolean some = !sessions.isEmpty() || !models.isEmpty();
        List<String> accounting = new ArrayList<>();
        if (fromUs.isPresent() || toUs.isPresent()) {
            accounting.addAll(AT_THE_EDGES);
        }
        if (some) {
            accounting.addAll(OF_SOME);
        }
        TraceStep step = new TraceStep(
                "cut",
                toString(),
                List.of(source.sha256()),
                some ? LeftOut.OTHERS : LeftOut.EDGES,
                some ? List.of() : Numbers.leftOut(all.here(), kept),
                List.of(),
                accounting);
        List<TraceStep> history = new ArrayList<>(source.manifest().history());
        history.add(step);
        List<WriterSequences> ends = Numbers.ends(kept);
        boolean ofSome = source.manifest().leftOut().and(step.leftOut()) == LeftOut.OTHERS;
        return cut.finish(history, Numbers.absent(source.manifest(), all.missing(), ends), ofSome ? ends : kept);
    }

    private static String time(OptionalLong micros) {
        return micros.isPresent()
                ? Instant.EPOCH.plus(micros.getAsLong(), ChronoUnit.MICROS).toString()
                : "its edge";
    }

    /** The arguments, as they stand in the manifest. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        fromUs.ifPresent(t -> parts.add("from " + time(fromUs)));
        toUs.ifPresent(t -> parts.add("to " + time(toUs)));
        if (!sessions.isEmpty()) {
            parts.add("sessions " + String.join(", ", sessions.stream().sorted().toList()));
        }
        if (!models.isEmpty()) {
            parts.add("models " + String.join(", ", models.stream().sorted().toList()));
        }
        return String.join("; ", parts);
    }
}

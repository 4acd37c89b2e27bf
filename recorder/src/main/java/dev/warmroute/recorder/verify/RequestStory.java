package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.ColumnCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.UserError;
import dev.warmroute.router.admin.DecisionReason;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.Topic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Everything a trace holds about one request: each decision with its reason in words and what each candidate lacked, and its
 * end.
 *
 * @param request id of the request
 * @param decisions in order of attempts
 * @param end its completion; empty when it had not ended, or that is not in the trace
 */
public record RequestStory(String request, List<Decided> decisions, Optional<RequestCompleted> end) {
    private static final int TOLD = 5;

    public RequestStory {
        decisions = List.copyOf(decisions);
    }

    /**
     * One decision.
     *
     * @param event {@code ce_id}
     * @param place topic, partition and offset
     * @param why in a sentence
     * @param decision the event
     * @param candidates every candidate with what it lacked, in the event's order
     * @param differences what does not follow from the event; empty when it is derived again just so
     */
    public record Decided(
            String event,
            String place,
            String why,
            RoutingDecision decision,
            List<Considered> candidates,
            List<Derivation.Difference> differences) {}

    /**
     * A candidate.
     *
     * @param lacked why it was not chosen; {@code chosen} for the one that was
     */
    public record Considered(Candidate candidate, String lacked) {}

    /**
     * Finds a request.
     *
     * @param id its id, or the beginning of it if no other request's begins so
     * @throws UserError if there is none, or there are several
     */
    public static RequestStory of(Recording recording, String id) {
        String whole = whole(recording, id);
        EventCodec codec = new EventCodec();
        Derivation derivation = new Derivation();
        List<Decided> decisions = new ArrayList<>();
        for (RecordedEvent e : events(recording, Topic.DECISIONS, whole)) {
            RoutingDecision d = (RoutingDecision) decoded(e, codec);
            List<Considered> considered = d.candidates().stream()
                    .map(c -> new Considered(c, Lacking.of(d, c)))
                    .toList();
            decisions.add(
                    new Decided(e.id(), e.place(), DecisionReason.of(d), d, considered, derivation.differences(d)));
        }
        Optional<RequestCompleted> end = events(recording, Topic.REQUESTS, whole).stream()
                .findFirst()
                .map(e -> (RequestCompleted) decoded(e, codec));
        return new RequestStory(whole, decisions, end);
    }

    private static Event decoded(RecordedEvent e, EventCodec codec) {
        try {
            return e.event(codec);
        } catch (IllegalArgumentException x) {
            throw new UserError("the event at " + e.place() + " cannot be read: " + x.getMessage(), x);
        }
    }

    private static String whole(Recording recording, String id) {
        TreeSet<String> found = new TreeSet<>();
        for (Topic topic : List.of(Topic.DECISIONS, Topic.REQUESTS)) {
            try (ColumnCursor columns = recording.columns(topic, "ce_subject")) {
                while (columns.nextBatch()) {
                    for (String subject : columns.texts(0)) {
                        if (id.equals(subject) || (subject != null && subject.startsWith(id) && found.size() <= TOLD)) {
                            found.add(subject);
                        }
                    }
                }
            }
        }
        if (found.contains(id)) {
            return id;
        }
        if (found.isEmpty()) {
            throw new UserError(
                    recording.directory() + " has no request " + id + "; 'trace head' shows the first ones");
        }
        if (found.size() > 1) {
            throw new UserError("several requests begin with " + id + ": "
                    + String.join(", ", found.stream().limit(TOLD).toList())
                    + (found.size() > TOLD ? " and more" : ""));
        }
        return found.first();
    }

    /** Events about a request, in order of their number. */
    private static List<RecordedEvent> events(Recording recording, Topic topic, String id) {
        List<RecordedEvent> out = new ArrayList<>();
        try (ColumnCursor columns = recording.columns(topic, "ce_subject", "partition", "offset")) {
            while (columns.nextBatch()) {
                String[] subjects = columns.texts(0);
                for (int i = 0; i < subjects.length; i++) {
                    if (id.equals(subjects[i])) {
                        recording
                                .at(topic, columns.ints(1)[i], columns.longs(2)[i])
                                .ifPresent(out::add);
                    }
                }
            }
        }
        out.sort(Comparator.comparingLong(RecordedEvent::timeUs).thenComparingLong(RecordedEvent::sequence));
        return out;
    }
}

package dev.warmroute.recorder.edit;

import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.session.Salt;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The ids in events, hashed again, and addresses in texts blanked. The same id gives the same hash wherever it stands. The
 * last hashes are remembered: an id stands in several events. Not thread-safe.
 */
final class Ids {
    private static final int REMEMBERED = 1 << 16;
    private static final Pattern ADDRESS =
            Pattern.compile("https?://[^\\s,;)]+|/?\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?\\b|[\\w.-]+:\\d{2,5}\\b");
    private static final long BITS_53 = (1L << 53) - 1;

    private final Salt salt;
    private final Map<String, String> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED;
        }
    };

    Ids(Salt salt) {
        this.salt = salt;
    }

    /** The event with every id replaced. */
    Event replaced(Event event, String saltId) {
        return switch (event) {
            case RoutingDecision d -> decision(d);
            case RequestCompleted c ->
                new RequestCompleted(
                        request(c.requestId()),
                        session(c.session()),
                        c.model(),
                        c.replica(),
                        c.status(),
                        c.error().map(Ids::withoutAddresses),
                        c.endedBy(),
                        c.heldMs(),
                        c.arrivalUs(),
                        c.firstByteUs(),
                        c.lastByteUs(),
                        c.promptTokens(),
                        c.cachedTokens(),
                        c.completionTokens(),
                        c.finishReason(),
                        c.attempts(),
                        c.router());
            case PromptBlocks p ->
                new PromptBlocks(
                        request(p.requestId()),
                        session(p.session()),
                        p.unit(),
                        p.blockSize(),
                        p.length(),
                        p.sharedBlocks(),
                        p.previous().map(this::request),
                        blocks(p.hashes()),
                        p.cut(),
                        saltId,
                        p.router());
            case Home h ->
                new Home(
                        key(h.session()),
                        h.model(),
                        h.replica(),
                        h.generation(),
                        h.writer(),
                        h.lastUsedUs(),
                        h.repeats());
            case ControlEvent.RouterStarted s ->
                new ControlEvent.RouterStarted(s.atUs(), s.version(), saltId, s.models(), s.router());
            case ControlEvent.ReplicaUp u ->
                new ControlEvent.ReplicaUp(u.atUs(), u.replica(), "", u.engineVersion(), u.router());
            case ControlEvent.ReplicaDown r ->
                new ControlEvent.ReplicaDown(r.atUs(), r.replica(), withoutAddresses(r.reason()), r.router());
            case ControlEvent other -> other;
            case CountersDelta c -> c;
        };
    }

    private RoutingDecision decision(RoutingDecision d) {
        Map<String, Double> inputs = new LinkedHashMap<>(d.policyInputs());
        inputs.computeIfPresent(Input.PREFIX_KEY.wireName(), (name, key) -> (double) (hash(key.longValue()) & BITS_53));
        return new RoutingDecision(
                request(d.requestId()),
                d.arrivalUs(),
                d.decidedUs(),
                session(d.session()),
                d.model(),
                d.dialect(),
                d.stream(),
                d.prompt(),
                d.policy(),
                d.requestSeed(),
                inputs,
                d.candidates().stream().map(Ids::candidate).toList(),
                d.threshold(),
                d.homeBefore(),
                d.homeAfter(),
                d.chosen(),
                d.kind(),
                d.propensity(),
                d.attempt(),
                d.decisionNs(),
                d.router());
    }

    private static Candidate candidate(Candidate c) {
        return c.reason().isEmpty()
                ? c
                : new Candidate(
                        c.replica(),
                        c.eligible(),
                        c.reason().map(Ids::withoutAddresses),
                        c.inFlight(),
                        c.liveSessions(),
                        c.running(),
                        c.waiting(),
                        c.kvUsage(),
                        c.countersAgeMs(),
                        c.predictedCachedTokens(),
                        c.inputs(),
                        c.score());
    }

    private static String withoutAddresses(String text) {
        return ADDRESS.matcher(text).replaceAll("ADDRESS");
    }

    private Session session(Session s) {
        return new Session(
                s.hash().map(h -> text(h)),
                s.source(),
                s.agent().map(a -> text(a)),
                s.parent().map(p -> text(p)),
                s.requestClass());
    }

    /** An affinity key: the conversation, and the sub-agent within it. */
    private String key(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? text(key) : text(key.substring(0, slash)) + '/' + text(key.substring(slash + 1));
    }

    private String request(String id) {
        return text(id);
    }

    /** One kind for all: a parent is a conversation or an agent, and nobody says which. */
    private String text(String id) {
        return remembered.computeIfAbsent(id, k -> salt.hash("again", "", k));
    }

    private String blocks(String base64) {
        ByteBuffer hashes = ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + Long.BYTES <= hashes.limit(); at += Long.BYTES) {
            hashes.putLong(at, hash(hashes.getLong(at)));
        }
        return Base64.getEncoder().encodeToString(hashes.array());
    }

    private long hash(long value) {
        return Long.parseUnsignedLong(
                salt.hash("again block", "", Long.toUnsignedString(value)).substring(0, 16), 16);
    }
}

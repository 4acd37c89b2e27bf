package dev.warmroute.recorder;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptEvents;
import dev.warmroute.router.prompt.PromptHasher;
import dev.warmroute.router.prompt.PromptMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Requests of conversations whose tokens are known, as the events of a router that hashes prompts. */
public final class Talk {
    private final Traffic traffic;
    private final PromptHasher hasher =
            new PromptHasher("a salt for tests".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    private final PromptEvents prompts = new PromptEvents(new PromptMemory(1 << 20), "salt-1");

    public Talk(Traffic traffic) {
        this.traffic = traffic;
    }

    /** How prompts are told. */
    public enum Told {
        TOKENS,
        BYTES,
        NOT
    }

    /** A session without sub-agent. */
    public static Session session(String hash) {
        return hash.isEmpty()
                ? Session.UNKNOWN
                : new Session(Optional.of(hash), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty());
    }

    public void decided(String id, Session session, long arrivalUs, int tokens) {
        Candidate r0 = candidate("r0");
        Candidate r1 = candidate("r1");
        traffic.publish(router -> new RoutingDecision(
                id,
                arrivalUs,
                arrivalUs + 50,
                session,
                "m",
                "openai",
                true,
                new PromptSize(tokens * 5L, OptionalLong.of(tokens), false),
                new PolicyIdentity("random", 1, "", Map.of()),
                7,
                Map.of(),
                List.of(r0, r1),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("r1"),
                Kind.BALANCED,
                0.5,
                1,
                1000,
                router));
    }

    private static Candidate candidate(String replica) {
        return new Candidate(
                replica,
                true,
                Optional.empty(),
                0,
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Map.of(),
                OptionalDouble.empty());
    }

    /** Tells a prompt's blocks of 16 tokens, or of 64 bytes with 4 bytes a token. */
    public void prompt(String id, Session session, int[] tokens, Told told) {
        if (told == Told.NOT) {
            return;
        }
        PromptChain chain;
        if (told == Told.TOKENS) {
            chain = hasher.tokens(Arrays.stream(tokens).asLongStream().toArray(), 16, "");
        } else {
            ByteBuffer text = ByteBuffer.allocate(4 * tokens.length);
            for (int t : tokens) {
                text.putInt(t);
            }
            chain = hasher.bytes(text.array(), 64, "");
        }
        PromptEvents.Draft draft = prompts.event(id, session, chain);
        traffic.publish(draft::numbered);
    }

    /** Ends a request. */
    public void completed(
            String id, Session session, long arrivalUs, long lastByteUs, int prompt, int output, int status) {
        traffic.publish(router -> new RequestCompleted(
                id,
                session,
                "m",
                Optional.of("r1"),
                OptionalInt.of(status),
                Optional.empty(),
                EndedBy.FINISHED,
                0,
                arrivalUs,
                OptionalLong.of(lastByteUs - 10),
                lastByteUs,
                prompt < 0 ? OptionalLong.empty() : OptionalLong.of(prompt),
                prompt < 0 ? OptionalLong.empty() : OptionalLong.of(prompt / 2),
                output < 0 ? OptionalLong.empty() : OptionalLong.of(output),
                Optional.of("stop"),
                1,
                router));
    }
}

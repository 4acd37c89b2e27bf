package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.proxy.ModelRoute.Routed;
import dev.warmroute.router.proxy.usage.Usage;
import dev.warmroute.router.state.Evidence;
import dev.warmroute.router.state.ModelRouter.Decision;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the events of one request say about it, gathered on the data path; the events are built from it on the sink's thread.
 *
 * @param number position among this process's requests
 * @param arrivedAt when the head had arrived, on the router's clock
 * @param bodyBytes length of the body
 */
record Told(
        RequestIds ids,
        RouterClock clock,
        long number,
        long arrivedAt,
        Session session,
        String model,
        Dialect dialect,
        boolean stream,
        int bodyBytes) {
    String requestId() {
        return ids.text(number);
    }

    /**
     * The request as the policy sees it.
     *
     * @param prompt what it says, where that was read; else the body's length stands for the prompt's
     */
    RoutingRequest routing(PromptChain prompt) {
        long tokens = prompt.length() > 0 ? prompt.tokens(prompt.length()) : bodyBytes / PromptChain.BYTES_PER_TOKEN;
        return new RoutingRequest(session.key(), tokens, ids.seed(number));
    }

    RoutingDecision decision(Routed routed, int attempt, RouterIdentity router) {
        Decision d = routed.decision();
        double threshold = d.placement().threshold();
        return new RoutingDecision(
                requestId(),
                clock.epochMicros(arrivedAt),
                clock.epochMicros(routed.decidedAt()),
                session,
                model,
                dialect.wireName(),
                stream,
                new PromptSize(bodyBytes, OptionalLong.of(d.request().promptTokens()), false),
                routed.policy(),
                d.request().seed(),
                d.view().inputs(),
                Evidence.candidates(d.view(), d.placement()),
                Double.isNaN(threshold) ? OptionalDouble.empty() : OptionalDouble.of(threshold),
                present(d.homeBefore()),
                present(d.homeAfter()),
                present(d.replica()),
                d.placement().kind(),
                d.placement().propensity(),
                attempt,
                routed.tookNanos(),
                router);
    }

    /**
     * How a request ended.
     *
     * @param replica replica that answered or was to answer; empty when none was reached
     * @param status 0 when nothing was sent to the client
     * @param error empty when nothing went wrong
     * @param firstByteAt on the router's clock; {@link #NEVER} when no byte of a body was sent
     */
    record End(
            String replica,
            int status,
            String error,
            EndedBy by,
            long firstByteAt,
            long endedAt,
            Usage usage,
            int attempts) {
        static final long NEVER = Long.MIN_VALUE;
    }

    /** @param heldNanos for how long the request was kept here */
    RequestCompleted completed(End end, long heldNanos, RouterIdentity router) {
        return new RequestCompleted(
                requestId(),
                session,
                model,
                present(end.replica),
                end.status == 0 ? OptionalInt.empty() : OptionalInt.of(end.status),
                present(end.error),
                end.by,
                heldNanos / 1e6,
                clock.epochMicros(arrivedAt),
                end.firstByteAt == End.NEVER
                        ? OptionalLong.empty()
                        : OptionalLong.of(clock.epochMicros(end.firstByteAt)),
                clock.epochMicros(end.endedAt),
                end.usage.promptTokens(),
                end.usage.cachedTokens(),
                end.usage.completionTokens(),
                end.usage.finishReason(),
                end.attempts,
                router);
    }

    private static Optional<String> present(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}

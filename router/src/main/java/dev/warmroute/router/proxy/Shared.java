package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.config.RouterConfig.Limits;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.SessionResolver;

/**
 * What all connections of a router share.
 *
 * @param fingerprints whether conversations without an id are told apart by their first user message
 */
record Shared(
        Models models,
        SessionResolver sessions,
        EventSink events,
        PromptListener prompts,
        RouterClock clock,
        Limits limits,
        boolean fingerprints,
        RequestIds ids,
        ProxyTotals totals,
        ReplicaObserver observer) {}

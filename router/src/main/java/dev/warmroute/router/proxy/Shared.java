package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.config.RouterConfig.Limits;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.session.SessionResolver;

/**
 * What all connections of a router share.
 *
 * @param salt secret behind all hashes
 * @param responses which replica holds which stored response
 * @param finder asks for those that are not remembered
 * @param sockets connections that are open and may be
 * @param fingerprints whether what is said may be looked at: for conversations without an id, for policies that ask
 */
record Shared(
        Models models,
        Salt salt,
        SessionResolver sessions,
        EventSink events,
        PromptListener prompts,
        RouterClock clock,
        Limits limits,
        boolean fingerprints,
        RequestIds ids,
        ProxyTotals totals,
        OpenSockets sockets,
        ReplicaObserver observer,
        StoredResponses responses,
        ResponseFinder finder) {}

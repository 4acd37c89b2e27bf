package dev.warmroute.router.event;

import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.ControlEvent.ModelSetup;
import dev.warmroute.router.event.ControlEvent.PolicyChanged;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.ControlEvent.ReplicaDown;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.event.ControlEvent.ReplicaUp;
import dev.warmroute.router.event.ControlEvent.RouterStarted;
import dev.warmroute.router.event.ControlEvent.RouterStopped;
import dev.warmroute.router.event.ControlEvent.WarmupFinished;
import dev.warmroute.router.event.ControlEvent.WarmupStarted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** One plausible event of each type, with every optional field present; shown in docs/EVENTS.md. */
public final class EventExamples {
    private static final long AT = 1_796_000_000_000_000L;
    private static final Session SESSION = new Session(
            Optional.of("5f0c9a7be2d41388"),
            "x-claude-code-session-id",
            Optional.of("b81d04c6a93f7e25"),
            Optional.of("5f0c9a7be2d41388"),
            Optional.of("subagent"));
    private static final PolicyIdentity WARDEN = new PolicyIdentity(
            "warden",
            1,
            "6f9ac0f5d1b2e347",
            Map.of("live_weight", "1.0", "kv_weight", "8.0", "max_counter_age_ms", "15000", "overflow_threshold", "8"));
    private static final PolicyIdentity ROUND_ROBIN =
            new PolicyIdentity("round_robin", 1, "1c2d3e4f5a6b7c8d", Map.of());

    private EventExamples() {}

    public static Event of(EventType type, RouterIdentity router) {
        return switch (type) {
            case ROUTING_DECISION -> decision(router);
            case REQUEST_COMPLETED -> completed(router);
            case COUNTERS_DELTA -> counters(router);
            case PROMPT_BLOCKS ->
                new PromptBlocks(
                        "0197f3c2-71aa-7c1e-9d55-0b6a8f2e4c10",
                        SESSION,
                        "bytes",
                        2048,
                        36_400,
                        15,
                        Optional.of("0197f3c2-5d0f-7b42-8e01-c4d5a6b7e8f9"),
                        "bWVhc3VyZWRoYXNoZXM=",
                        1,
                        "a1b2c3d4",
                        router);
            case HOME ->
                new Home(
                        "5f0c9a7be2d41388/b81d04c6a93f7e25",
                        "qwen3-4b",
                        "r1",
                        3,
                        "router-a",
                        AT,
                        OptionalLong.of(4806));
            case ROUTER_STARTED ->
                new RouterStarted(
                        AT,
                        "0.1.0",
                        "a1b2c3d4",
                        List.of(new ModelSetup("qwen3-4b", 32, WARDEN, List.of("r0", "r1"))),
                        router);
            case ROUTER_STOPPED -> new RouterStopped(AT, "SIGTERM", router.sequence() + 1, router);
            case POLICY_CHANGED ->
                new PolicyChanged(
                        AT,
                        "qwen3-4b",
                        ROUND_ROBIN,
                        WARDEN,
                        "promote",
                        Optional.of("5d1f0c7a3b9e4826d0a1f7c35e8b6942417ad09c8e2f5b63d7c4a19e0b8f2356"),
                        router);
            case REPLICA_UP -> new ReplicaUp(AT, "r0", "http://127.0.0.1:9001", Optional.of("0.32.0"), router);
            case REPLICA_DOWN -> new ReplicaDown(AT, "r0", "connection refused", router);
            case REPLICA_EPOCH -> new ReplicaEpoch(AT, "r0", 1, 12, router);
            case WARMUP_STARTED -> new WarmupStarted(AT, "r0", "epoch", 4, router);
            case WARMUP_FINISHED ->
                new WarmupFinished(AT, "r0", 3, 1, 14_000, OptionalDouble.of(2.5), "strict-prefix", router);
            case PREFIX_CACHE_CLEARED -> new PrefixCacheCleared(AT, "r0", "cleared", router);
            case EVENTS_LOST ->
                new EventsLost(
                        AT, 4711, 4812, Map.of("decisions", 60L, "requests", 42L), "the buffer was full", router);
        };
    }

    private static RoutingDecision decision(RouterIdentity router) {
        return new RoutingDecision(
                "0197f3c2-71aa-7c1e-9d55-0b6a8f2e4c10",
                AT,
                AT + 85,
                SESSION,
                "qwen3-4b",
                "anthropic",
                true,
                new PromptSize(36_412, OptionalLong.of(9_103), false),
                WARDEN,
                -4_962_768_465_676_381_896L,
                Map.of("cursor", 128.0),
                List.of(
                        new Candidate(
                                "r0",
                                true,
                                Optional.empty(),
                                3,
                                5,
                                OptionalDouble.of(3),
                                OptionalDouble.of(1),
                                OptionalDouble.of(0.4375),
                                OptionalLong.of(412),
                                OptionalInt.of(8_960),
                                Map.of("places", 2.0),
                                OptionalDouble.of(11.5)),
                        new Candidate(
                                "r1",
                                false,
                                Optional.of("draining"),
                                0,
                                1,
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalLong.empty(),
                                OptionalInt.empty(),
                                Map.of(),
                                OptionalDouble.empty())),
                OptionalDouble.of(8),
                Optional.of("r1"),
                Optional.of("r0"),
                Optional.of("r0"),
                Kind.FAILOVER,
                1,
                1,
                8_400,
                router);
    }

    private static RequestCompleted completed(RouterIdentity router) {
        return new RequestCompleted(
                "0197f3c2-71aa-7c1e-9d55-0b6a8f2e4c10",
                SESSION,
                "qwen3-4b",
                Optional.of("r0"),
                OptionalInt.of(200),
                Optional.of("the client closed the connection"),
                EndedBy.CLIENT,
                12.5,
                AT,
                OptionalLong.of(AT + 310_000),
                AT + 4_200_000,
                OptionalLong.of(9_120),
                OptionalLong.of(8_960),
                OptionalLong.of(211),
                Optional.of("stop"),
                1,
                router);
    }

    private static CountersDelta counters(RouterIdentity router) {
        return new CountersDelta(
                "r0",
                0,
                AT,
                1000,
                0,
                false,
                Map.of("prompt_tokens", 9_120.0, "prompt_tokens_cached", 8_960.0, "request_success{stop}", 2.0),
                Map.of(
                        "prompt_tokens",
                        3_802_635.0,
                        "prompt_tokens_cached",
                        1_891_360.0,
                        "request_success{stop}",
                        1_208.0),
                Map.of("num_requests_running", 3.0, "num_requests_waiting", 1.0, "kv_cache_usage_perc", 0.4375),
                List.of("external_prefix_cache_hits", "external_prefix_cache_queries"),
                OptionalInt.of(16),
                OptionalInt.of(8192),
                Optional.of("0.32.0"),
                router);
    }
}

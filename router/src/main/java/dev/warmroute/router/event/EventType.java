package dev.warmroute.router.event;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Registry of the event types: their wire name, topic and record. */
public enum EventType {
    ROUTING_DECISION("routing.decision.v1", Topic.DECISIONS, RoutingDecision.class),
    REQUEST_COMPLETED("request.completed.v1", Topic.REQUESTS, RequestCompleted.class),
    COUNTERS_DELTA("counters.delta.v1", Topic.COUNTERS, CountersDelta.class),
    PROMPT_BLOCKS("prompt.blocks.v1", Topic.PROMPTS, PromptBlocks.class),
    HOME("home.v1", Topic.HOMES, Home.class),
    ROUTER_STARTED("router.started.v1", Topic.CONTROL, ControlEvent.RouterStarted.class),
    ROUTER_STOPPED("router.stopped.v1", Topic.CONTROL, ControlEvent.RouterStopped.class),
    POLICY_CHANGED("policy.changed.v1", Topic.CONTROL, ControlEvent.PolicyChanged.class),
    REPLICA_UP("replica.up.v1", Topic.CONTROL, ControlEvent.ReplicaUp.class),
    REPLICA_DOWN("replica.down.v1", Topic.CONTROL, ControlEvent.ReplicaDown.class),
    REPLICA_EPOCH("replica.epoch.v1", Topic.CONTROL, ControlEvent.ReplicaEpoch.class),
    WARMUP_STARTED("warmup.started.v1", Topic.CONTROL, ControlEvent.WarmupStarted.class),
    WARMUP_FINISHED("warmup.finished.v1", Topic.CONTROL, ControlEvent.WarmupFinished.class),
    PREFIX_CACHE_CLEARED("prefix_cache.cleared.v1", Topic.CONTROL, ControlEvent.PrefixCacheCleared.class),
    EVENTS_LOST("events.lost.v1", Topic.CONTROL, ControlEvent.EventsLost.class);

    private static final Map<String, EventType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(EventType::wireName, Function.identity()));
    private static final Map<Class<?>, EventType> BY_RECORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(EventType::record, Function.identity()));

    private final String wireName;
    private final Topic topic;
    private final Class<? extends Event> record;

    EventType(String wireName, Topic topic, Class<? extends Event> record) {
        this.wireName = wireName;
        this.topic = topic;
        this.record = record;
    }

    /** Value of {@code ce_type}. */
    public String wireName() {
        return wireName;
    }

    public Topic topic() {
        return topic;
    }

    public Class<? extends Event> record() {
        return record;
    }

    /** Returns the type with this {@code ce_type}, or throws if there is none. */
    public static EventType named(String wireName) {
        EventType type = BY_NAME.get(wireName);
        if (type == null) {
            throw new IllegalArgumentException("unknown event type '" + wireName + "'; known are " + BY_NAME.keySet());
        }
        return type;
    }

    public static EventType of(Event event) {
        return BY_RECORD.get(event.getClass());
    }
}

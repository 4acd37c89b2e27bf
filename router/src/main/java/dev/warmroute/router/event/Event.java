package dev.warmroute.router.event;

/** Anything that warmroute writes to Kafka. */
public sealed interface Event
        permits RoutingDecision, RequestCompleted, CountersDelta, PromptBlocks, Home, ControlEvent {

    /** Key of the Kafka record, which also keeps the order within a conversation or a replica. */
    String key();

    /** Value of {@code ce_subject}: the request, replica or router that the event is about. */
    String subject();
}

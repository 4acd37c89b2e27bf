/**
 * The event contract: what the router publishes and every other part reads. Records are immutable and validated; absent
 * values are empty optionals (JSON null), never 0. Field names on the wire are the record components in snake case.
 */
package dev.warmroute.router.event;

package dev.warmroute.recorder.trace;

import static dev.warmroute.recorder.trace.EventColumn.flag;
import static dev.warmroute.recorder.trace.EventColumn.number;
import static dev.warmroute.recorder.trace.EventColumn.text;
import static dev.warmroute.recorder.trace.EventColumn.whole;

import dev.warmroute.router.event.Topic;
import java.util.List;

/** The typed columns of each topic's segments, after the columns that all topics have. */
final class TopicColumns {
    private TopicColumns() {}

    /** Columns in the order in which they are written. Adding one needs no new schema version: readers ask by name. */
    static List<EventColumn> of(Topic topic) {
        return switch (topic) {
            case DECISIONS ->
                List.of(
                        whole("arrival_us"),
                        whole("decided_us"),
                        text("session").at("session.hash"),
                        text("agent").at("session.agent"),
                        text("model"),
                        text("kind"),
                        text("chosen"),
                        text("home_before"),
                        text("home_after"),
                        whole("prompt_bytes").at("prompt.bytes"),
                        whole("prompt_tokens").at("prompt.tokens"),
                        text("policy").at("policy.name"),
                        whole("policy_version").at("policy.version"),
                        text("config_hash").at("policy.config_hash"),
                        number("propensity"),
                        whole("attempt"),
                        whole("decision_ns"));
            case REQUESTS ->
                List.of(
                        text("session").at("session.hash"),
                        text("agent").at("session.agent"),
                        text("model"),
                        text("replica"),
                        whole("status"),
                        text("ended_by"),
                        text("error"),
                        number("held_ms"),
                        whole("arrival_us"),
                        whole("first_byte_us"),
                        whole("last_byte_us"),
                        whole("prompt_tokens"),
                        whole("cached_tokens"),
                        whole("completion_tokens"),
                        text("finish_reason"),
                        whole("attempts"));
            case COUNTERS ->
                List.of(
                        text("replica"),
                        whole("engine"),
                        whole("scraped_us"),
                        whole("interval_ms"),
                        whole("epoch"),
                        flag("reset"),
                        text("engine_version"),
                        whole("block_size"),
                        whole("num_gpu_blocks"),
                        number("prompt_tokens").at("deltas.prompt_tokens"),
                        number("generation_tokens").at("deltas.generation_tokens"),
                        number("prefix_cache_queries").at("deltas.prefix_cache_queries"),
                        number("prefix_cache_hits").at("deltas.prefix_cache_hits"),
                        number("num_preemptions").at("deltas.num_preemptions"),
                        number("num_requests_running").at("gauges.num_requests_running"),
                        number("num_requests_waiting").at("gauges.num_requests_waiting"),
                        number("kv_cache_usage_perc").at("gauges.kv_cache_usage_perc"));
            case CONTROL -> List.of(whole("at_us"), text("replica"), text("model"), text("reason"));
            case PROMPTS ->
                List.of(
                        text("session").at("session.hash"),
                        text("agent").at("session.agent"),
                        text("unit"),
                        whole("block_size"),
                        whole("length"),
                        whole("shared_blocks"),
                        whole("cut"),
                        text("salt_id"));
            case HOMES ->
                List.of(text("session"), text("model"), text("replica"), whole("generation"), whole("last_used_us"));
        };
    }
}

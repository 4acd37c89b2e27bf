package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.proxy.ReplicaTotals;
import dev.warmroute.router.warm.Clearing;
import dev.warmroute.router.warm.WarmMode;
import dev.warmroute.router.warm.WarmSource;
import dev.warmroute.router.warm.WarmState;
import dev.warmroute.router.warm.WarmState.Phase;
import dev.warmroute.router.warm.WarmUpResult;
import dev.warmroute.router.warm.WarmedPrompt;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Caches and warm prompts as JSON; what nobody has said is null, never 0. Names are vllm-mlx's where it has the same. */
final class WarmJson {
    private WarmJson() {}

    /**
     * All replicas that may be chosen together: {@code off}, {@code cold}, {@code warming}, {@code partly_warm} or {@code warm}. What
     * the cache of another one was given says nothing of what it has when it comes back.
     */
    static void prompts(ObjectNode out, StatusReport report) {
        List<StatusReport.Replica> replicas =
                report.models().stream().flatMap(m -> m.replicas().stream()).toList();
        List<WarmState> states = replicas.stream()
                .filter(r -> r.row().eligible())
                .map(StatusReport.Replica::warm)
                .toList();
        List<WarmState> warming =
                states.stream().filter(s -> s.phase() == Phase.WARMING).toList();
        WarmSource source = report.warmPrompts();
        out.put("state", source.file().isEmpty() ? "off" : state(states))
                .put("file", source.file().map(Object::toString).orElse(null))
                .put("problem", source.problem().isEmpty() ? null : source.problem())
                .put("prompts", source.prompts().size())
                .put("concurrency", source.config().concurrency())
                .put("where", source.config().where().name().toLowerCase(Locale.ROOT))
                .put("max_cache_share", source.config().maxCacheShare())
                .put("done", warming.stream().mapToInt(WarmState::done).sum())
                .put("of", warming.stream().mapToInt(WarmState::prompts).sum())
                .put(
                        "replicas_warm",
                        states.stream().filter(s -> s.phase() == Phase.WARM).count())
                .put("replicas", replicas.size());
    }

    private static String state(List<WarmState> states) {
        if (states.isEmpty()) {
            return name(Phase.COLD);
        }
        if (states.stream().anyMatch(s -> s.phase() == Phase.WARMING)) {
            return name(Phase.WARMING);
        }
        return states.stream().allMatch(s -> s.phase() == states.get(0).phase())
                ? name(states.get(0).phase())
                : name(Phase.PARTLY_WARM);
    }

    private static String name(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    /** What is known of a replica's prefix cache. */
    static void cache(ObjectNode out, StatusReport.Replica replica) {
        ReplicaTotals totals = replica.row().totals();
        long hits = totals.hits();
        long told = hits + totals.misses();
        out.put("entry_count", replica.warm().entries()).put("hits", hits).put("misses", totals.misses());
        number(out, "hit_rate", told == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) hits / told));
        out.put("tokens_saved", totals.cachedTokens());
    }

    /** The warm-up under way, or the last one. */
    static void warmUp(ObjectNode out, StatusReport.Replica replica) {
        WarmState state = replica.warm();
        Optional<WarmUpResult> last = state.last();
        boolean warming = state.phase() == Phase.WARMING;
        out.put("state", name(state.phase()))
                .put(
                        "reason",
                        warming
                                ? state.reason()
                                : last.map(WarmUpResult::reason).orElse(null))
                .put(
                        "done",
                        warming
                                ? state.done()
                                : last.map(l -> l.prompts().size()).orElse(0))
                .put("prompts", state.prompts());
        last.ifPresentOrElse(result -> result(out, result), () -> out.putNull("last"));
        number(out, "cache_share", replica.warmShare());
    }

    private static void result(ObjectNode out, WarmUpResult result) {
        ObjectNode last = out.putObject("last")
                .put("reason", result.reason())
                .put("completed", result.completed())
                .put("skipped", result.skipped())
                .put("prompt_tokens", result.promptTokens())
                .put("distinct_tokens", result.distinctTokens())
                .put("seconds", result.seconds())
                .put("mode", result.mode());
        ArrayNode prompts = last.putArray("prompts");
        for (WarmedPrompt prompt : result.prompts()) {
            prompts.addObject()
                    .put("name", prompt.name())
                    .put("tokens", prompt.completed() ? Long.valueOf(prompt.tokens()) : null)
                    .put("mode", prompt.mode().map(WarmMode::wireName).orElse(null))
                    .put("skipped", prompt.completed() ? null : prompt.skipped());
        }
    }

    private static void number(ObjectNode out, String name, OptionalDouble value) {
        value.ifPresentOrElse(v -> out.put(name, v), () -> out.putNull(name));
    }

    /** What became of clearing the caches; an error only where nothing was cleared that could be. */
    static AdminAnswer cleared(Clearing clearing) {
        ObjectNode out = JsonNodeFactory.instance
                .objectNode()
                .put("status", clearing.status())
                .put("rewarm_scheduled", clearing.rewarmScheduled());
        ArrayNode replicas = out.putArray("replicas");
        clearing.replicas()
                .forEach(r -> replicas.addObject()
                        .put("id", r.replica())
                        .put("status", r.status().wireName())
                        .put("problem", r.problem().isEmpty() ? null : r.problem())
                        .put("rewarm_scheduled", r.rewarmScheduled()));
        int status = switch (clearing.status()) {
            case "busy" -> 409;
            case "failed" -> 502;
            case "unanswered" -> 504;
            default -> 200;
        };
        return AdminAnswer.json(status, out);
    }
}

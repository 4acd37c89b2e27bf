package dev.warmroute.simulator.load;

import java.util.List;
import java.util.Objects;

/**
 * What a load did.
 *
 * @param options what was asked for
 * @param requests every request, in the order in which they ended
 * @param summary the figures
 */
public record AgentLoadResult(AgentLoadOptions options, List<RequestOutcome> requests, AgentLoadSummary summary) {
    public AgentLoadResult {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(summary, "summary");
        requests = List.copyOf(requests);
    }
}

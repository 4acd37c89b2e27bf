package dev.warmroute.simulator.load;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Requests that were sent at the same moment.
 *
 * @param concurrency how many
 * @param repetition which of the waves at this concurrency, from 1
 * @param requests in the order of their numbers
 * @param cacheQueries prompt tokens that the engines looked up meanwhile, by their metrics; empty without metrics
 * @param cacheHits those that they found
 */
public record BenchWave(
        int concurrency,
        int repetition,
        List<RequestOutcome> requests,
        OptionalLong cacheQueries,
        OptionalLong cacheHits) {
    public BenchWave {
        requests = List.copyOf(requests);
    }

    /** From the first request sent to the last byte, in seconds. */
    public double seconds() {
        long from = requests.stream().mapToLong(RequestOutcome::sentNanos).min().orElse(0);
        long to =
                requests.stream().mapToLong(RequestOutcome::lastByteNanos).max().orElse(0);
        return Math.max(1, to - from) * 1e-9;
    }

    /** Output tokens a second, of all requests together; empty if the endpoint does not count them. */
    public OptionalDouble throughput() {
        long tokens = requests.stream()
                .mapToLong(r -> Math.max(0, r.completionTokens()))
                .sum();
        return tokens == 0 ? OptionalDouble.empty() : OptionalDouble.of(tokens / seconds());
    }

    /** Complete answers a second. */
    public double requestsPerSecond() {
        return requests.stream().filter(RequestOutcome::ok).count() / seconds();
    }
}

package dev.warmroute.router.scrape;

import dev.warmroute.router.fleet.EngineSnapshot;
import dev.warmroute.router.fleet.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The latest page of a replica.
 *
 * @param engines what it said, engine by engine
 * @param signals the same in short; age 0
 * @param capacityTokens tokens that its engines' KV caches hold together; -1 when one of them does not say
 * @param engineVersion version of vLLM; empty when the server does not tell
 * @param readNanos when it had been read, on the router's clock
 */
public record Scrape(
        List<EngineSnapshot> engines,
        Signals signals,
        long capacityTokens,
        Optional<String> engineVersion,
        long readNanos) {
    public Scrape {
        engines = List.copyOf(engines);
    }

    /** A page that was read just now. What every decision asks for is worked out here, once. */
    static Scrape of(List<EngineSnapshot> engines, Optional<String> engineVersion, long readNanos) {
        return new Scrape(engines, Signals.of(engines), capacity(engines), engineVersion, readNanos);
    }

    private static long capacity(List<EngineSnapshot> engines) {
        long tokens = 0;
        for (EngineSnapshot engine : engines) {
            OptionalLong own = engine.capacityTokens();
            if (own.isEmpty()) {
                return -1;
            }
            tokens += own.getAsLong();
        }
        return tokens > 0 ? tokens : -1;
    }
}

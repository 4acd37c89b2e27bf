package dev.warmroute.router.scrape;

import dev.warmroute.router.fleet.EngineSnapshot;
import dev.warmroute.router.fleet.Signals;
import java.util.List;
import java.util.Optional;

/**
 * The latest page of a replica.
 *
 * @param engines what it said, engine by engine
 * @param signals the same in short; age 0
 * @param engineVersion version of vLLM; empty when the server does not tell
 * @param readNanos when it had been read, on the router's clock
 */
public record Scrape(List<EngineSnapshot> engines, Signals signals, Optional<String> engineVersion, long readNanos) {
    public Scrape {
        engines = List.copyOf(engines);
    }
}

package dev.warmroute.router.scrape;

/** Hears when an engine was started again. */
@FunctionalInterface
public interface EngineRestarts {
    /** Nobody needs to know. */
    EngineRestarts IGNORED = replica -> 0;

    /**
     * The engine behind a replica was started again: its cache is empty. Called on the thread that scrapes, which should not
     * be kept long.
     *
     * @return how many homes were dropped
     */
    int restarted(String replica);
}

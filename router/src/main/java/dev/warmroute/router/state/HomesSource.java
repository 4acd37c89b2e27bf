package dev.warmroute.router.state;

/** Where the homes of earlier runs and of other routers come from. */
@FunctionalInterface
public interface HomesSource {
    /** There are none: this router remembers its own while it runs. */
    HomesSource NONE = listener -> {};

    /**
     * Begins to tell, and goes on on a thread of its own. Returns when what was kept has been told, or when that cannot be
     * had now; then it is told later.
     */
    void feed(HomesListener listener);
}

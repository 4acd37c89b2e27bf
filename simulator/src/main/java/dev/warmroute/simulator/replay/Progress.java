package dev.warmroute.simulator.replay;

/** Hears how far a replay is. Called from the replay's own thread. */
@FunctionalInterface
public interface Progress {
    Progress NONE = share -> {};

    /** @param share 0 to 1, never falling */
    void at(double share);
}

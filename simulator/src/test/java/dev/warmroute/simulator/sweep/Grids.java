package dev.warmroute.simulator.sweep;

/** Grids for tests, small enough to be computed by the dozen. */
final class Grids {
    static final String PROGRAM = "test";

    private Grids() {}

    static Sweep parse(String yaml) {
        return GridReader.parse("grid.yaml", yaml, PROGRAM);
    }

    /** Scenarios of a few simulated seconds: two policies, so many seeds. */
    static Sweep small(int seeds) {
        return parse("""
                workload: lm-warden
                seconds: 10
                policies: [random, warden]
                sessions: 3
                seeds: 1..%d
                """.formatted(seeds));
    }
}

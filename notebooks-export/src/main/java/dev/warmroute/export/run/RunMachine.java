package dev.warmroute.export.run;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * What a replay ran on, as far as a look at it needs that.
 *
 * @param usableBlocks blocks of a replica; empty without limit
 * @param law prices what was computed again
 * @param sessionOf session's name by {@link Turn#index}; empty text where it has none
 */
public record RunMachine(int replicas, OptionalInt usableBlocks, StepTimeLaw law, IntFunction<String> sessionOf) {
    public RunMachine {
        Objects.requireNonNull(usableBlocks, "usableBlocks");
        Objects.requireNonNull(law, "law");
        Objects.requireNonNull(sessionOf, "sessionOf");
    }

    /** A fleet that replays made-up sessions, which have numbers and no names. */
    public static RunMachine of(FleetSpec fleet) {
        return new RunMachine(fleet.replicas(), blocks(fleet), fleet.law(), i -> "");
    }

    /** A fleet that replays a trace; its requests lie at the positions of their numbers. */
    public static RunMachine of(FleetSpec fleet, List<Turn> turns) {
        return new RunMachine(
                fleet.replicas(), blocks(fleet), fleet.law(), i -> turns.get(i).session());
    }

    private static OptionalInt blocks(FleetSpec fleet) {
        return fleet.engine().unlimited()
                ? OptionalInt.empty()
                : OptionalInt.of(fleet.engine().usableBlocks());
    }

    /** Name of a request's session: the trace's, or one made of its number. */
    String session(Requests requests, int r) {
        String name = sessionOf.apply(requests.log().index(r));
        return name.isEmpty() ? "session " + requests.log().session(r) : name;
    }

    /** Seconds that computing tokens of a prompt takes, behind those that were cached, with nothing beside it. */
    double prefillSeconds(long tokens, long cached) {
        return tokens == 0
                ? 0
                : law.stepNanos(tokens, StepTimeLaw.chunkAttention(tokens, cached), 0, 0) / Requests.SECOND;
    }
}

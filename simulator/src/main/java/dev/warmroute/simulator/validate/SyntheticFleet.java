package dev.warmroute.simulator.validate;

import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.replay.WorkloadSpec.Range;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A fleet and its agent sessions, drawn at random: 1 to 8 replicas of any of the measured machines, a cache with room for 1 to 10
 * sessions a replica, and 0.2 to 1.4 times as many sessions as that; shared prompts, first messages, growth, answers, numbers
 * of turns and pauses over one to two orders of magnitude each, alike within a fleet or up to a factor of nineteen apart.
 *
 * @param sessions the load
 * @param cache the caches
 * @param how step times, budgets, and simulated time: several lives of a session
 */
record SyntheticFleet(WorkloadSpec sessions, CacheSize cache, Check how) {
    private static final List<TimingPresets> MACHINES = List.of(
            TimingPresets.A4000_QWEN3_4B,
            TimingPresets.L4_QWEN3_4B_FP8,
            TimingPresets.RTX5090_QWEN3_4B,
            TimingPresets.A100_8B,
            TimingPresets.H100_8B,
            TimingPresets.CPU_MID);

    private static final int BLOCK_SIZE = 16;
    private static final int MOST_SESSIONS = 64;
    private static final double LIVES = 4;
    private static final double LEAST_SECONDS = 120;

    /**
     * Draws one.
     *
     * @param seed of the whole study
     * @param number of the fleet in it; with the seed it says everything
     */
    static SyntheticFleet draw(long seed, int number) {
        SplittableRandom random = new Seeds(seed).stream(Seeds.Purpose.LENGTH, number);
        TimingPreset machine = MACHINES.get(random.nextInt(MACHINES.size())).preset();
        int replicas = 1 + random.nextInt(8);
        int turns = 3 + random.nextInt(22);
        int shared = random.nextInt(4) == 0 ? 0 : (int) spread(200, 8_000, random);
        Range first = about(spread(500, 12_000, random), random);
        Range added = about(spread(50, 1_500, random), random);
        Range output = about(spread(20, 400, random), random);
        double gap = spread(0.3, 60, random);
        double growth = added.mean() + output.mean();
        double ownMean = first.mean() + (turns - 1) / 2.0 * growth + output.mean();
        double room = spread(1, 10, random);
        double load = 0.2 + 1.2 * random.nextDouble();
        int sessions = Math.clamp(Math.round(load * replicas * room), 1, MOST_SESSIONS);
        // The largest request must be one that the engine takes at all.
        double longest = shared + first.high() + (turns - 1.0) * (added.high() + output.high()) + output.high();
        long tokens = Math.round(Math.max(shared + room * ownMean, longest + 2 * BLOCK_SIZE));
        int maxNumSeqs = 1 << (4 + random.nextInt(5));
        int budget = 512 << random.nextInt(5);
        double lifeSeconds = turns * (gap + seconds(machine, added.mean(), shared + ownMean, output.mean()));
        WorkloadSpec spec = new WorkloadSpec(
                "synthetic-" + number,
                new WorkloadSpec.Machine(replicas, BLOCK_SIZE, tokens, maxNumSeqs, budget),
                new WorkloadSpec.Timing(0, 0, 0, 0, 0),
                0,
                1,
                sessions,
                turns,
                shared,
                first,
                added,
                output,
                new WorkloadSpec.Gap(gap / 4, gap * 3 / 4),
                gap);
        return new SyntheticFleet(
                spec,
                CacheSize.ofTokens(replicas, tokens, BLOCK_SIZE, "given"),
                new Check(
                        PolicyChoice.of("warden"),
                        machine,
                        maxNumSeqs,
                        budget,
                        Math.max(LEAST_SECONDS, LIVES * lifeSeconds),
                        1,
                        1));
    }

    /** A number between two, as likely in every octave. */
    private static double spread(double low, double high, SplittableRandom random) {
        return low * StrictMath.pow(high / low, random.nextDouble());
    }

    /** A range around a mean: up to nine tenths of it either way. */
    private static Range about(double mean, SplittableRandom random) {
        double width = 0.9 * random.nextDouble();
        return new Range((int) Math.max(1, mean * (1 - width)), (int) Math.max(1, mean * (1 + width)));
    }

    /** Time of a turn that finds its history cached, alone on a replica. */
    private static double seconds(TimingPreset machine, double added, double context, double output) {
        long prefill = machine.law().stepNanos((long) added, added * context, 0, 0);
        long decode = machine.law().stepNanos(0, 0, 1, (long) context);
        return (prefill + output * decode) / 1e9;
    }
}

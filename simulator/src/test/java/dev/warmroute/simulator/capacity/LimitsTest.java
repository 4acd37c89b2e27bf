package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.Limits.Turns;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.TimingPreset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LimitsTest {
    private static final CacheSize CACHE = CacheSize.ofTokens(4, 40_000, 16, "given");
    private static final Demand DEMAND = Demand.uniform(8, 10_000, 0);

    @Test
    void withoutAMachineThereIsTheCacheAlone() {
        List<LimitBound> bounds = new Limits(Rule.even(DEMAND, CACHE), 4).bounds(Optional.empty(), Optional.empty());
        assertThat(bounds).extracting(LimitBound::limit).containsExactly(Limit.CACHE);
        assertThat(bounds.get(0).sessions()).isEqualTo(16);
    }

    /** A turn of 1,000 computed tokens at 1 ms each, 100 generated ones at 10 ms, 8 s between. */
    @Test
    void aReplicaComputesForAsManySessionsAsItsTimeGoesInto() {
        List<LimitBound> bounds = bounds(1e-3, 1);
        assertThat(sessions(bounds, Limit.DECODE))
                .isCloseTo(40, within(1)); // one sequence at a time: 4 x (8 + 1 + 1) / 1
        assertThat(sessions(bounds, Limit.PREFILL)).isCloseTo(40, within(1)); // 4 x (8 + 1 + 1) / 1
    }

    @Test
    void whatBindsFirstStandsFirst() {
        assertThat(bounds(10e-3, 256).get(0).limit()).isEqualTo(Limit.PREFILL); // 4 x (8 + 10 + 1) / 10
        assertThat(bounds(10e-3, 256).get(0).sessions()).isCloseTo(7, within(1));
        assertThat(bounds(1e-5, 256).get(0).limit()).isEqualTo(Limit.CACHE);
    }

    @Test
    void unevenPlacementBindsBeforeTheCacheDoes() {
        Rule rule = Rule.placed(DEMAND, CACHE, new int[] {5, 1, 1, 1});
        List<LimitBound> bounds = new Limits(rule, 4).bounds(Optional.empty(), Optional.empty());
        assertThat(bounds).extracting(LimitBound::limit).containsExactly(Limit.PLACEMENT, Limit.CACHE);
        assertThat(bounds.get(0).sessions()).isEqualTo(6); // 8 x 4 / 5
    }

    private static List<LimitBound> bounds(double prefillTokenS, int maxNumSeqs) {
        TimingPreset machine = new TimingPreset(
                "test",
                "",
                "",
                Optional.empty(),
                AffineLaw.ofSeconds(0, prefillTokenS, 0, 0, 10e-3),
                FrontendDelay.NONE);
        CacheSize roomy = CacheSize.ofTokens(4, 400_000, 16, "given");
        return new Limits(Rule.even(DEMAND, prefillTokenS < 1e-4 ? CACHE : roomy), 4)
                .bounds(
                        Optional.of(new Check(PolicyChoice.of("warden"), machine, maxNumSeqs, 2048, 60, 1, 1)),
                        Optional.of(new Turns(10_000, 9_000, 100, 8)));
    }

    private static int sessions(List<LimitBound> bounds, Limit limit) {
        return bounds.stream()
                .filter(b -> b.limit() == limit)
                .findFirst()
                .orElseThrow()
                .sessions();
    }
}

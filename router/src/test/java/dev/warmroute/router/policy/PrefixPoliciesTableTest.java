package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.fleet.FleetView;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that know what prompts say. Prompts are of 100 tokens. */
class PrefixPoliciesTableTest {
    /** Built once: a ring takes a while. */
    private static final Map<String, RoutingPolicy> POLICIES = new HashMap<>();

    private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "sgl_cache_aware, 0/0;cached=31 0/0;cached=40,           balanced 1 -, the longest prefix above 30 %",
        "sgl_cache_aware, 5/0;cached=31 0/0;cached=0,            balanced 0 -, whatever the load while in balance",
        "sgl_cache_aware, 5/0;cached=30 1/0;cached=0,            balanced 1 -, 30 % is not above it: the least loaded",
        "sgl_cache_aware, 2/0;cached=50 1/0;cached=50,           balanced 1 -, equal prefixes: fewer in flight",
        "sgl_cache_aware, 1/0;cached=50;decided=9 1/0;cached=50;decided=3, balanced 1 -, then fewer ever sent",
        "sgl_cache_aware, 1/0;cached=50 1/0;cached=50,           balanced 0 -, then the lowest index",
        "sgl_cache_aware, 1/0;decided=9 1/0;decided=3,           balanced 1 -, a miss: equal load and fewer ever sent",
        "sgl_cache_aware:on_miss=smallest_tree, 0/0;indexed_tokens=9 5/0;indexed_tokens=3, balanced 1 -, a miss of the older rule",
        "sgl_cache_aware, 65/0;cached=99 0/0,                    balanced 1 -, out of balance: 65 more and more than half as many again",
        "sgl_cache_aware, 64/0;cached=99 0/0,                    balanced 0 -, 64 more are in balance",
        "sgl_cache_aware, 195/0;cached=99 130/0,                 balanced 0 -, 65 more but not above 1.5 times",
        "sgl_cache_aware:balance_abs=1:balance_rel=1.1, 2/0;cached=99 0/0, balanced 1 -, parameters",
        "sgl_cache_aware, x99/0;cached=99 3/0 0/0,               balanced 2 -, only those that may be chosen count",
        "sgl_cache_aware:kv_ceiling=.9, 0/0;cached=99;kv=.95 3/0;kv=0 4/0;kv=0, balanced 0 -, a full cache: the least loaded",
        "sgl_cache_aware:kv_ceiling=.9, 3/0;cached=99;kv=.95 0/0;kv=0, balanced 1 -, a full cache is out of balance",
        "sgl_cache_aware:kv_spread=.5, 3/0;cached=99;kv=.7 0/0;kv=.1, balanced 1 -, so is a spread",
        "sgl_cache_aware:kv_spread=.5, 3/0;cached=99;kv=.7 0/0,  balanced 0 -, a replica not read is no spread",
        "sgl_cache_aware:imbalance_window=2, 90/0;cached=99 0/0 2/0;cached=50 3/0;cached=70, balanced 2 -, the longest within the window",
        "llmd_default, 0/0;waiting=0;kv=.9 0/0;waiting=4;kv=0,          balanced 0 -, the queue weighs 2 and the cache 1.8",
        "llmd_default, 0/0;waiting=1;kv=.9 0/0;waiting=1;kv=.2,         balanced 1 -, equal queues: the emptier cache",
        "llmd_default, 0/0;waiting=9;cached=90;kv=.5 0/0;waiting=0;kv=.5, balanced 0 -, 2.7 for the prefix against 2",
        "llmd_default, 0/0;waiting=9;cached=60;kv=.5 0/0;waiting=0;kv=.5, balanced 1 -, 1.8 for the prefix against 2",
        "llmd_default:length_weight=1, 0/0;cached=100;kv=.5 0/0;kv=.4,  balanced 1 -, a short match is worth little by length",
        "llmd_default, x0/0;cached=100 5/0;kv=1,                        balanced 1 -, only those that may be chosen",
        "llmd_agentic, 0/0;cached=80;prompt_tokens=200000 0/0,          balanced 0 -, 80 % and 12.6 s behind: kept",
        "llmd_agentic, 0/0;cached=80;prompt_tokens=286705 0/0,          balanced 1 -, more than 18 s behind: broken",
        "llmd_agentic, 0/0;cached=79;prompt_tokens=10 0/0,              balanced 1 -, 79 % is nobody's",
        "llmd_agentic, 0/0;cached=80;prompt_tokens=9 0/0;cached=100;prompt_tokens=5 0/0, balanced 1 -, of its own the less loaded",
        "llmd_agentic, x0/0;cached=99 0/0;prompt_tokens=8 0/0;prompt_tokens=7, balanced 2 -, only those that may be chosen",
        "dynamo_kv, 0/0;cached=64 0/0,                            balanced 0 -, fewer blocks to compute",
        "dynamo_kv, 0/0;cached=64;prompt_tokens=160 0/0,          balanced 1 -, blocks held weigh as much: 4 saved and 10 held",
        "dynamo_kv:overlap_weight=3, 0/0;cached=48;prompt_tokens=80 0/0, balanced 0 -, a cached block is worth three",
        "dynamo_kv, 0/0;cached=64;prefill_tokens=80 0/0,          balanced 1 -, prompts being computed count",
        "dynamo_kv:prefill_load_scale=0, 0/0;cached=96 0/0,       balanced 0 -, nothing to compute counts: tie to the lowest index",
        "dynamo_kv, 0/0 0/0,                                      balanced 0 -, ties: lowest index",
        "dynamo_kv, x0/0;cached=96 0/0,                           balanced 1 -, only those that may be chosen",
        "dynamo_lmetric, 0/0;cached=90;prompt_tokens=1000 0/0,    balanced 1 -, 10 tokens times 63 against 100 times 1",
        "dynamo_lmetric, 0/0;cached=90;prompt_tokens=100 0/0,     balanced 0 -, 10 tokens times 7 against 100 times 1",
        "dynamo_lmetric, 9/0;cached=100;prompt_tokens=9000 0/0;cached=90, balanced 0 -, nothing to compute costs nothing",
        "aibrix_prefix, 1/0;cached=30 1/0;cached=60 1/0,       balanced 1 -, the longest prefix",
        "aibrix_prefix, 2/0;cached=60 1/0;cached=60 2/0,       balanced 1 -, equal prefixes: fewer in flight",
        "aibrix_prefix, 1/0;cached=60 1/0;cached=60,           balanced 0 -, then the lowest index",
        "aibrix_prefix, 6/0;cached=60 0/0;cached=20 0/0 0/0,   balanced 1 -, above mean 1.5 + deviation 2.6: the next prefix",
        "aibrix_prefix:deviations=2, 6/0;cached=60 0/0 0/0 0/0, balanced 0 -, within two deviations",
        "aibrix_prefix, 8/0;cached=60 0/0,                     balanced 0 -, 8 more are near enough: 8 <= 4 + 4",
        "aibrix_prefix, 9/0;cached=60 0/0 5/0;cached=50,       balanced 1 -, 9 more: only the least loaded are asked",
        "aibrix_prefix, 9/0;cached=60 1/0;cached=10 1/0;cached=20 0/0, balanced 3 -, 9 more: no prefix among them",
        "aibrix_prefix, x0/0;cached=60 1/0 0/0,                balanced 2 -, no prefix: fewest in flight",
        "preble, 0/0;cached=51 0/0,                                        balanced 0 -, more cached than missing: exploit",
        "preble, 0/0;cached=60;window_requests=3 0/0;cached=60;window_requests=2 0/0;window_requests=2, balanced 1 -, the lighter of two longest",
        "preble, 0/0;cached=60;window_requests=3 0/0;window_requests=2,    balanced 0 -, 1.5 times the lightest is near enough",
        "preble, 0/0;cached=60;window_requests=4 0/0;window_requests=2,    balanced 1 -, twice is not: explore",
        "preble, 0/0;cached=50;window_requests=3 0/0;window_requests=2,    balanced 1 -, half is not more than half: explore",
        "preble, 0/0;cached=50 0/0,                                        balanced 0 -, explore: fewer tokens to compute",
        "preble, 0/0;window_tokens=10 0/0,                                 balanced 1 -, explore: less computed of late",
        "preble, 0/0;capacity_tokens=1000;indexed_tokens=950 0/0;window_tokens=40, balanced 1 -, explore: 50 tokens to overwrite weigh more than 40",
        "preble, 0/0;capacity_tokens=1000;indexed_tokens=950 0/0;window_tokens=60, balanced 0 -, explore: and less than 60",
        "preble, @mean_output_tokens=1 0/0;window_requests=1 0/0;window_tokens=3000, balanced 0 -, answers of one token: .15 s against .17 s",
        "preble, 0/0 0/0,                                                  balanced 0 -, ties: lowest index",
        "oracle, 0/0;cached=100;prefill_tokens=50 0/0;cached=60,  balanced 1 -, 40 to compute against 50",
        "oracle, 0/0;cached=100;prefill_tokens=30 0/0;cached=60,  balanced 0 -, 30 to compute against 40",
        "oracle, 2/0;cached=60 1/0;cached=60 1/0;cached=60,       balanced 1 -, ties: fewest in flight then lowest index",
        "oracle, x0/0;cached=100 9/0,                             balanced 1 -, only those that may be chosen",
    })
    void aPlaceForEachCase(String policy, String fleet, String expected, String why) {
        assertThat(FleetText.words(choose(policy, fleet))).as(why).isEqualTo(expected);
    }

    @Test
    void llmdsScoreIsTheWeightedSumAndTiesAreDrawn() {
        Placement placement = choose("llmd_default", "0/0;waiting=1;kv=.25;cached=40 0/0;waiting=3;kv=.5 x0/0");
        assertThat(placement.scores()[0]).isEqualTo(2 * 1 + 2 * .75 + 3 * .4, ROUNDING);
        assertThat(placement.scores()[1]).isEqualTo(2 * 0 + 2 * .5, ROUNDING);
        assertThat(placement.propensity()).isEqualTo(1);
        assertThat(choose("llmd_default", "0/0 0/0 0/0 x0/0").propensity()).isEqualTo(1.0 / 3);
        assertThat(choose("llmd_agentic", "0/0;cached=90 0/0;cached=90 0/0").propensity())
                .isEqualTo(.5);
    }

    @Test
    void dynamosCostsAreInBlocks() {
        String fleet = "0/0;cached=32;prefill_tokens=64;prompt_tokens=160 0/0";
        assertThat(choose("dynamo_kv", fleet).scores()).containsExactly(4 + 6.25 - 2 + 10 + 6.25, 6.25 + 6.25);
        assertThat(choose("dynamo_lmetric", fleet).scores()).containsExactly((4 + 6.25 - 2) * 11, 6.25);
    }

    @Test
    void aTemperatureDrawsInProportion() {
        RoutingPolicy policy = FleetText.policy("dynamo_kv:temperature=.5");
        FleetView view = FleetText.view("0/0;cached=100 0/0;cached=50 x0/0 0/0");
        double sum = 1 + Math.exp(-1) + Math.exp(-2);
        int[] chosen = new int[4];
        int draws = 20_000;
        for (int seed = 0; seed < draws; seed++) {
            Placement placement = policy.choose(new RoutingRequest("", 100, seed), view);
            chosen[placement.replica()]++;
            double expected = new double[] {1, Math.exp(-1), 0, Math.exp(-2)}[placement.replica()] / sum;
            assertThat(placement.propensity()).isEqualTo(expected, ROUNDING);
        }
        assertThat(chosen[2]).isZero();
        assertThat(chosen[0] / (double) draws).isEqualTo(1 / sum, Offset.offset(.02));
        assertThat(chosen[3] / (double) draws).isEqualTo(Math.exp(-2) / sum, Offset.offset(.02));
        assertThat(policy.choose(new RoutingRequest("", 100, 1), FleetText.view("0/0 0/0"))
                        .propensity())
                .isEqualTo(.5);
    }

    @Test
    void aibrixSaysItsBoundAndDrawsTies() {
        Placement placement = choose("aibrix_prefix", "2/0 0/0 0/0 2/0");
        assertThat(placement.threshold()).isEqualTo(1 + 1);
        assertThat(placement.propensity()).isEqualTo(.5);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "0/0 0/0 0/0,       'initial',     'whatever is free: the ring decides'",
        "1/0 1/0 1/0,       'initial',     '1 of 3 is within 1.25 * 4/3'",
        "2/0 0/0 0/0,       'other 1',     '2 are above 1.25: the least loaded within, lowest index'",
        "2/0 1/0 0/0,       'other 2',     '2 are above 1.25 * 4/3: the least loaded'",
    })
    void prefixHashKeepsTheBeginningOfPromptsTogetherWithinABound(String fleet, String expected, String why) {
        String key = "@prefix_key=" + keyOf("prefix_hash", 0) + ' ';
        int wanted = expected.equals("initial") ? 0 : Integer.parseInt(expected.split(" ")[1]);
        assertThat(FleetText.words(choose("prefix_hash", key + fleet))).as(why).isEqualTo("balanced " + wanted + " -");
    }

    @Test
    void prefixHashStaysWhereNobodyIsWithinTheBoundAndTakesTheNextOnTheRing() {
        String key = "@prefix_key=" + keyOf("prefix_hash", 0) + ' ';
        assertThat(choose("prefix_hash", key + "9/0").replica()).isZero();
        assertThat(choose("prefix_hash", key + "x0/0 5/0 5/0").replica()).isPositive();
        assertThat(FleetText.words(choose("prefix_hash", "2/0 1/0")))
                .as("a prompt too short")
                .isEqualTo("balanced 1 -");
    }

    @Test
    void dualMapTakesTheBetterOfTwo() {
        // Of four replicas the two rings name these.
        long key = keyOf("dualmap", 1);
        String k = "@prefix_key=" + key + ' ';
        int second = choose("dualmap", k + fleet(1, "9/0", "0/0")).replica();
        assertThat(second).isNotEqualTo(1);
        assertThat(choose("dualmap", k + fleet(second, "0/0;cached=9", "0/0")).replica())
                .as("longer prefix")
                .isEqualTo(second);
        assertThat(choose("dualmap", k + fleet(second, "5/0;cached=9", "0/0")).replica())
                .as("whatever the load")
                .isEqualTo(second);
        assertThat(choose("dualmap", k + fleet(second, "5/0;cached=9;prefill_tokens=15909", "0/0"))
                        .replica())
                .as("2 s to the first byte")
                .isEqualTo(second);
        assertThat(choose("dualmap", k + fleet(second, "5/0;cached=9;prefill_tokens=15910", "0/0"))
                        .replica())
                .as("later than that: the less loaded")
                .isEqualTo(1);
        assertThat(choose(
                                "dualmap",
                                "@prefill_rate=16000 " + k + fleet(second, "5/0;cached=9;prefill_tokens=15910", "0/0"))
                        .replica())
                .as("the learnt rate is twice as fast")
                .isEqualTo(second);
        assertThat(choose("dualmap", k + "0/0 0/0 0/0 0/0").replica())
                .as("ties: the first ring's")
                .isEqualTo(1);
        assertThat(choose("dualmap", k + fleet(1, "x0/0", "0/0")).replica())
                .as("a new first")
                .isNotEqualTo(1);
        assertThat(choose("dualmap", k + "x0/0 3/0 x0/0 x0/0").replica())
                .as("one is left")
                .isEqualTo(1);
        assertThat(FleetText.words(choose("dualmap", "3/0 1/0")))
                .as("a prompt too short")
                .isEqualTo("balanced 1 -");
    }

    /** Four replicas, one of which differs. */
    private static String fleet(int which, String one, String others) {
        StringBuilder fleet = new StringBuilder();
        for (int r = 0; r < 4; r++) {
            fleet.append(r == which ? one : others).append(' ');
        }
        return fleet.toString();
    }

    /** A key that an idle fleet's ring gives to a replica. */
    private static long keyOf(String policy, int replica) {
        String fleet = policy.equals("dualmap") ? "0/0 0/0 0/0 0/0" : "0/0 0/0 0/0";
        long key = 0;
        while (choose(policy, "@prefix_key=" + key + ' ' + fleet).replica() != replica) {
            key++;
        }
        return key;
    }

    /** With 100 tokens, 400 characters: nothing cached costs 400 + 8, the target is .2 s + .04 s at a rate of 1e4. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "*0/0;cached=90 0/0,                                          sticky 0 0,   the best cache meets its target",
        "*9/0;cached=90 0/0,                                          sticky 0 0,   whatever the load",
        "*0/0;cached=90;prefill_tokens=700 0/0,                       moved 1 1,    2800 are queued: 0.28 s miss the target and another meets it",
        "*1/0;cached=90;prefill_tokens=700 1/0;prefill_tokens=701,    sticky 0 0,   nobody meets it",
        "0/0;cached=90 *0/0,                                          moved 0 0,    the best cache is elsewhere",
        "1/0;cached=90 0/0,                                           placed 1 1,   a first turn goes by work: in flight 0 costs nothing",
        "2/0;cached=90 3/0,                                           placed 0 0,   a first turn: 40 times 2 against 408 times 3",
        "@session_tokens=1000 *1/0;cached=90 0/0,                     moved 1 1,    less than a tenth of what the last turn left",
        "@session_tokens=899 *1/0;cached=90 0/0,                      sticky 0 0,   more than a tenth",
        "*0/0;cached=50 0/0;cached=50;prefill_tokens=1,               sticky 0 0,   equal caches: the least queued",
        "0/0;prefill_tokens=2 0/0;prefill_tokens=1 0/0;prefill_tokens=1, placed 1 1, equal products: the least queued then lowest index",
    })
    void smetricFollowsTheCacheWithinATarget(String fleet, String expected, String why) {
        assertThat(FleetText.words(choose("smetric", fleet))).as(why).isEqualTo(expected);
    }

    @Test
    void smetricCostsAreTheFormula() {
        Placement placement = choose("smetric", "0/0;cached=40;prefill_tokens=10;prefill_pairs=500 x0/0 0/0");
        double own = Math.ceil(240 + 1e-4 * 240 * (400 - 120));
        assertThat(placement.scores()[0]).isEqualTo(40 + 1e-4 * 16 * 500 + own, ROUNDING);
        assertThat(placement.scores()[1]).isNaN();
        assertThat(placement.scores()[2]).isEqualTo(Math.ceil(400 + 1e-4 * 400 * 200), ROUNDING);
        assertThat(FleetText.words(choose("smetric:colocated=no", "1/0;prefill_tokens=3 9/0;prefill_tokens=2")))
                .as("apart from generation the requests in flight do not count")
                .isEqualTo("placed 1 1");
        String behind = "*0/0;cached=90;prefill_tokens=700 0/0";
        assertThat(FleetText.words(choose("smetric", "@prefill_rate=3000 " + behind)))
                .as("learnt rate")
                .isEqualTo("sticky 0 0");
        assertThat(FleetText.words(choose("smetric:prefill_rate=12000", behind)))
                .as("given rate")
                .isEqualTo("sticky 0 0");
    }

    private static Placement choose(String policy, String fleet) {
        return POLICIES.computeIfAbsent(policy, FleetText::policy)
                .choose(FleetText.request("s"), FleetText.view(fleet));
    }
}

package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.fleet.FleetView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that look at load alone. */
class LoadPoliciesTableTest {
    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "vllm_dp_v1, 0/0;running=3 0/0;running=2,                    balanced 1 -, fewest running",
        "vllm_dp_v1, 0/0;running=9 0/0;running=0;waiting=3,          balanced 0 -, a waiting request weighs four running ones",
        "vllm_dp_v1, 0/0;running=4 0/0;waiting=1,                    balanced 0 -, ties: the first from the start on",
        "vllm_dp_v1, @cursor=1 0/0 0/0,                              balanced 0 -, the start does not move with decisions",
        "vllm_dp_v1:client_count=2:client_index=1, 0/0 0/0 0/0 0/0,  balanced 2 -, the second of two clients starts in the middle",
        "vllm_dp_v1, 0/0;running=3;sent_since_reading=1 0/0;running=6, balanced 1 -, one sent since the reading counts as waiting",
        "vllm_dp_v1:client_count=3, 0/0;sent_since_reading=1 0/0;running=11, balanced 1 -, three clients: it counts three times",
        "vllm_dp_v1, 9/0 3/0,                                        balanced 0 -, never read: both count as empty",
        "vllm_dp_v1, x0/0 0/0;running=3,                             balanced 1 -, only those that may be chosen",
        "vllm_dp_v2, @cursor=1 0/0 0/0 0/0,                          balanced 1 -, ties rotate",
        "vllm_dp_v2, @cursor=5 0/0 0/0 0/0,                          balanced 2 -, round the end",
        "vllm_dp_v2, @cursor=1 0/0;running=1 0/0;running=2 0/0;running=1, balanced 2 -, a tie goes to the first from the start on",
        "vllm_dp_v2, @cursor=2 0/0;running=1 0/0;running=1 0/0;running=2, balanced 0 -, round the end to the first",
        "vllm_dp_v3, @cursor=0 5/0 4/0,                              balanced 1 -, its own requests in flight count",
        "vllm_dp_v3, @cursor=0 1/0;running=6 4/0;running=2,          balanced 1 -, the larger of own and reported",
        "vllm_dp_v3, @cursor=0 0/0;waiting=1;kv=1 0/0;running=3,     balanced 1 -, one waiting at a full cache weighs 1 + 3",
        "vllm_dp_v3, @cursor=0 0/0;waiting=1;kv=.5 0/0;running=2,    balanced 0 -, at half a cache nothing is added",
        "vllm_dp_v3, @cursor=0 0/0;running=2;kv=1 0/0;running=3,     balanced 0 -, a full cache without a queue adds nothing",
        "vllm_dp_v3, @cursor=1 0/0 0/0,                              balanced 1 -, ties rotate",
    })
    void vllmsBalancer(String policy, String fleet, String expected, String why) {
        assertThat(chosen(policy, "s", fleet)).as(why).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{3}")
    @CsvSource({
        "smg_least_load, 0/0;kv=.5 0/0;kv=.4,                             balanced 1 -, the emptier cache",
        "smg_least_load, 0/0;waiting=1;kv=.5 0/0;kv=.8,                   balanced 1 -, a waiting request is .512 s - the cache .45 s more",
        "smg_least_load, 0/0;waiting=1;kv=.5 0/0;kv=.9,                   balanced 0 -, a nearly full cache weighs more than a queue",
        "smg_least_load, 0/0;kv=0;tokens_since_reading=2000 0/0;kv=.85,   balanced 1 -, tokens sent since the reading count",
        "smg_least_load, 9/0;kv=.5 0/0,                                   balanced 1 -, not read: its requests in flight stand for it",
        "smg_least_load, 1/0;kv=.7 1/0,                                   balanced 0 -, .35 s against 1024 tokens",
        "smg_least_load, 3/0 2/0,                                         balanced 1 -, nobody read: fewest in flight",
        "smg_least_load, 0/0;kv=1 0/0;kv=.9995,                           balanced 0 -, .999 at most: a tie goes to the lowest index",
        "smg_least_load:throughput=100000, 0/0;waiting=9;kv=.5 0/0;kv=.7, balanced 0 -, fast replicas",
        "smg_least_load, x0/0;kv=0 0/0;kv=1,                              balanced 1 -, only those that may be chosen",
    })
    void sglangsLeastLoad(String policy, String fleet, String expected, String why) {
        assertThat(chosen(policy, "s", fleet)).as(why).isEqualTo(expected);
    }

    @Test
    void sglangsLeastLoadScoresInSeconds() {
        Placement placement = FleetText.policy("smg_least_load")
                .choose(
                        FleetText.request("s"),
                        FleetText.view("0/0;waiting=2;kv=.5;tokens_since_reading=952 3/0 x0/0"));
        assertThat(placement.scores()).containsExactly(3000 / 2000.0 + 0.15, 3 * 1024 / 2000.0, Double.NaN);
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "p2c_inflight, 1/0 2/0 3/0,                 by requests",
        "p2c_inflight, 2/0 2/0 2/0,                 all alike",
        "p2c_inflight, 1/0 x0/0 1/0 4/0 4/0,        ties and one that may not be chosen",
        "p2c_kv,       5/0;kv=.1 4/0;kv=.9 3/0;kv=.5, by KV usage",
        "p2c_kv,       5/0;kv=.1 4/0 3/0;kv=.5,      one was not read: pairs with it compare requests",
    })
    void ofTwoDrawnTheLessBusyAsOftenAsItsPropensitySays(String policy, String fleet, String why) {
        RoutingPolicy p = FleetText.policy(policy);
        FleetView view = FleetText.view(fleet);
        int[] chosen = new int[view.size()];
        double[] propensity = new double[view.size()];
        int draws = 40_000;
        for (int seed = 0; seed < draws; seed++) {
            Placement placement = p.choose(new RoutingRequest("", 1, seed), view);
            chosen[placement.replica()]++;
            propensity[placement.replica()] = placement.propensity();
        }
        double sum = 0;
        for (int r = 0; r < chosen.length; r++) {
            double expected = draws * propensity[r];
            assertThat((double) chosen[r])
                    .as(why)
                    .isBetween(expected - 5 * Math.sqrt(draws) / 2, expected + 5 * Math.sqrt(draws) / 2);
            sum += propensity[r];
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
    }

    @Test
    void theBusiestOfThreeIsNeverBetterThanAnother() {
        RoutingPolicy p = FleetText.policy("p2c_inflight");
        for (int seed = 0; seed < 1000; seed++) {
            assertThat(p.choose(new RoutingRequest("", 1, seed), FleetText.view("1/0 2/0 3/0"))
                            .replica())
                    .isNotEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"p2c_inflight", "p2c_kv"})
    void oneReplicaIsChosenForCertainAndNoneNot(String policy) {
        assertThat(chosen(policy, "s", "x0/0 7/0 x0/0")).isEqualTo("balanced 1 -");
        assertThat(chosen(policy, "s", "*x0/0")).isEqualTo("unrouted - 0");
        assertThat(FleetText.policy(policy)
                        .choose(FleetText.request(""), FleetText.view("7/0"))
                        .propensity())
                .isEqualTo(1);
    }

    private static String chosen(String policy, String session, String fleet) {
        return FleetText.words(FleetText.policy(policy).choose(FleetText.request(session), FleetText.view(fleet)));
    }
}

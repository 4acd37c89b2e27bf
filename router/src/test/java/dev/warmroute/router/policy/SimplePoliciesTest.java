package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.fleet.FleetView;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimplePoliciesTest {
    @ParameterizedTest
    @CsvSource({
        "0/0 0/0 0/0,   0, balanced 0 -",
        "9/9 0/0 0/0,   3, balanced 0 -",
        "0/0 0/0 0/0,   5, balanced 2 -",
        "0/0 x0/0 0/0,  1, balanced 2 -",
        "0/0 x0/0 x0/0, 1, balanced 0 -",
        "x0/0 x0/0,     7, unrouted - -",
    })
    void roundRobinGoesToTheNextThatMayBeChosen(String fleet, long cursor, String expected) {
        RoutingPolicy policy = Policies.create("round_robin", Map.of(), 32);
        assertThat(FleetText.words(policy.choose(FleetText.request("s"), FleetText.view(fleet, cursor))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "3/0 1/9 2/0,  balanced 1 -",
        "1/9 1/0 2/0,  balanced 0 -",
        "x0/0 5/0 5/0, balanced 1 -",
        "*x0/0 x0/0,   unrouted - 0",
    })
    void leastInFlightLooksAtRequestsOnlyAndTakesTheLowestIndexOnTies(String fleet, String expected) {
        RoutingPolicy policy = Policies.create("least_in_flight", Map.of(), 32);
        assertThat(FleetText.words(policy.choose(FleetText.request("s"), FleetText.view(fleet))))
                .isEqualTo(expected);
    }

    @Test
    void randomGivesEachThatMayBeChosenTheSameShareAndSaysSo() {
        RoutingPolicy policy = Policies.create("random", Map.of(), 32);
        FleetView fleet = FleetText.view("0/0 x0/0 9/9 0/0");
        int[] chosen = new int[4];
        int draws = 30_000;
        for (int seed = 0; seed < draws; seed++) {
            Placement placement = policy.choose(new RoutingRequest("s", 1, seed), fleet);
            assertThat(placement.propensity()).isEqualTo(1.0 / 3);
            chosen[placement.replica()]++;
        }
        assertThat(chosen[1]).isZero();
        // 5 standard deviations of a binomial share
        double allowed = 5 * Math.sqrt(draws * (1 / 3.0) * (2 / 3.0));
        for (int r : new int[] {0, 2, 3}) {
            assertThat((double) chosen[r]).isBetween(draws / 3.0 - allowed, draws / 3.0 + allowed);
        }
        assertThat(FleetText.words(policy.choose(FleetText.request("s"), FleetText.view("x0/0"))))
                .isEqualTo("unrouted - -");
    }

    @Test
    void hashPlacesByTheSessionAloneWhateverTheLoad() {
        RoutingPolicy policy = Policies.create("hash", Map.of(), 32);
        for (int i = 0; i < 50; i++) {
            String session = "session-" + i;
            int bucket = HashPolicy.bucket(session, 3);
            Placement placement = policy.choose(FleetText.request(session), FleetText.view("0/0 90/9/1@5 7/0"));
            assertThat(FleetText.words(placement)).isEqualTo("placed " + bucket + ' ' + bucket);
        }
    }

    /** The first session of 0, 1, 2 ... that hashes to replica 1 of 3. */
    @ParameterizedTest
    @CsvSource({
        "0/0 0/0 0/0,    placed 1 1,   first request",
        "0/0 *9/0 0/0,   sticky 1 1,   at home",
        "*0/0 0/0 0/0,   moved 1 1,    at home where its hash does not point: a home from another policy",
        "0/0 x0/0 0/0,   placed 2 2,   its replica cannot be used: the next one",
        "0/0 *x0/0 0/0,  failover 2 2, its home cannot be used: the next one",
        "0/0 x0/0 *0/0,  sticky 2 2,   at home with the next one while its own cannot be used",
        "0/0 *x0/0 x0/0, failover 0 0, the next one round the end",
        "0/0 0/0 *0/0,   moved 1 1,    its replica is back",
        "x0/0 x0/0 x0/0, unrouted - -, nobody may be chosen",
    })
    void hashKeepsToItsReplicaAndGoesToTheNextWithoutIt(String fleet, String expected, String why) {
        String session = "0";
        for (int i = 0; HashPolicy.bucket(session, 3) != 1; i++) {
            session = Integer.toString(i);
        }
        RoutingPolicy policy = Policies.create("hash", Map.of(), 32);
        assertThat(FleetText.words(policy.choose(FleetText.request(session), FleetText.view(fleet))))
                .as(why)
                .isEqualTo(expected);
    }

    @Test
    void hashWithoutASessionGoesWhereTheLeastIsInFlight() {
        RoutingPolicy policy = Policies.create("hash", Map.of(), 32);
        assertThat(FleetText.words(policy.choose(FleetText.request(""), FleetText.view("3/0 1/0"))))
                .isEqualTo("balanced 1 -");
    }

    /** Python: {@code int.from_bytes(hashlib.blake2b(b"...", digest_size=8).digest(), "big") % n}. */
    @ParameterizedTest
    @CsvSource({"session-a,7,6", "session-b,7,5", "session-a,4,0", "é語,1000,74"})
    void hashAgreesWithPython(String session, int replicas, int bucket) {
        assertThat(HashPolicy.bucket(session, replicas)).isEqualTo(bucket);
    }
}

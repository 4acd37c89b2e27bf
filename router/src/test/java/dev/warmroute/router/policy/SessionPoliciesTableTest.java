package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.fleet.FleetView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that know conversations. */
class SessionPoliciesTableTest {
    /** Built once: a ring takes a while. */
    private static final Map<String, RoutingPolicy> POLICIES = new HashMap<>();

    @ParameterizedTest
    @ValueSource(strings = {"consistent_hash_ring", "rendezvous"})
    void aHashTakesFromNobodyElseWhenAReplicaGoes(String policy) {
        int moved = 0;
        for (int i = 0; i < 400; i++) {
            String session = "session-" + i;
            int before = choose(policy, session, "0/0 0/0 0/0 0/0").replica();
            int after = choose(policy, session, "0/0 x0/0 0/0 0/0").replica();
            if (before != 1) {
                assertThat(after).isEqualTo(before);
            } else {
                assertThat(after).isNotEqualTo(1);
                moved++;
            }
        }
        assertThat(moved).as("a fair share had to move").isBetween(50, 150);
    }

    @ParameterizedTest
    @ValueSource(strings = {"consistent_hash_ring", "rendezvous", "chwbl"})
    void aHashSpreadsTheConversationsOfALostReplica(String policy) {
        Map<Integer, Integer> after = new HashMap<>();
        for (int i = 0; i < 400; i++) {
            if (choose(policy, "session-" + i, "0/0 0/0 0/0 0/0").replica() == 1) {
                after.merge(choose(policy, "session-" + i, "0/0 *x0/0 0/0 0/0").replica(), 1, Integer::sum);
            }
        }
        assertThat(after.keySet()).containsExactlyInAnyOrder(0, 2, 3);
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "consistent_hash_ring, 0/0 0/0 0/0,     placed 1 1,    first request",
                "consistent_hash_ring, 0/0 *99/9 0/0,   sticky 1 1,    at home whatever the load",
                "consistent_hash_ring, *0/0 0/0 0/0,    moved 1 1,     at home where its hash does not point",
                "consistent_hash_ring:when_down=first, 0/0 *x0/0 0/0, failover 0 0, all of a lost replica's to the first",
                "consistent_hash_ring:when_down=first, x0/0 *x0/0 0/0, failover 2 2, the first that may be chosen",
                "rendezvous,           0/0 0/0 0/0,     placed 1 1,    first request",
                "rendezvous,           9/0 *9/9 0/0,    sticky 1 1,    at home whatever the load",
                "rendezvous,           0/0 0/0 *0/0,    moved 1 1,     at home where its hash does not point",
                "ray_consistent_hash,  0/0 0/0 0/0,     placed 1 1,    first request",
                "ray_consistent_hash:max_ongoing=4, 0/0 *3/0 0/0, sticky 1 1,   not full",
                "ray_consistent_hash:max_ongoing=4, 3/0 *4/0 0/0, overflow 0 1, full: the next on the ring - not the emptiest",
                "ray_consistent_hash:max_ongoing=4, 4/0 *4/0 0/0, overflow 2 1, both full: the second fallback",
                "ray_consistent_hash:max_ongoing=4, 4/0 *5/0 4/0, sticky 1 1,   all full: the owner queues",
                "ray_consistent_hash:max_ongoing=4:fallbacks=1, 4/0 *4/0 0/0, sticky 1 1, no further than its fallbacks",
                "ray_consistent_hash:max_ongoing=4, x0/0 *4/0 0/0, overflow 2 1, a fallback that may not be chosen is none",
                "ray_consistent_hash,  0/0 *x0/0 0/0,   failover 0 0,  the next on the ring",
                "chwbl,                0/0 0/0 0/0,     placed 1 1,    first request",
                "chwbl,                1/0 *2/0 1/0,    sticky 1 1,    2 of 4 are within 1.25 * 5/3",
                "chwbl,                1/0 *3/0 2/0,    overflow 0 1,  3 of 6 are above 1.25 * 7/3: the next on the ring",
                "chwbl,                3/0 *3/0 0/0,    overflow 2 1,  the next is full too: the one after it",
                "chwbl,                9/0 *9/0 9/0,    sticky 1 1,    all within 1.25 * 28/3",
                "chwbl,                0/0 *x0/0 0/0,   failover 0 0,  the next on the ring",
                "chwbl:load_factor=3,  0/0 *3/0 0/0,    sticky 1 1,    3 are within 3 * 4/3",
            })
    void hashesKeepAConversationInItsPlace(String policy, String fleet, String expected, String why) {
        String session = pointingTo(policy, 1, 0);
        assertThat(FleetText.words(choose(policy, session, fleet))).as(why).isEqualTo(expected);
    }

    /** A session whose replica of three is {@code first}, and {@code second} without it. */
    private static String pointingTo(String policy, int first, int second) {
        for (int i = 0; ; i++) {
            String session = Integer.toString(i);
            String without = first == 0 ? "x0/0 0/0 0/0" : first == 1 ? "0/0 x0/0 0/0" : "0/0 0/0 x0/0";
            String plain = policy.split(":")[0];
            if (choose(plain, session, "0/0 0/0 0/0").replica() == first
                    && choose(plain, session, without).replica() == second) {
                return session;
            }
        }
    }

    @Test
    void aRingOfManyPlacesSpreadsConversationsFairly() {
        int[] ring = new int[8];
        int[] weights = new int[8];
        String fleet = "0/0 ".repeat(8);
        for (int i = 0; i < 8000; i++) {
            ring[choose("consistent_hash_ring", "s" + i, fleet).replica()]++;
            weights[choose("rendezvous", "s" + i, fleet).replica()]++;
        }
        // 160 places a replica: a share varies by 1/sqrt(160) = 8 %; random weights vary as a binomial, 3 %.
        assertThat(Arrays.stream(ring).boxed()).allSatisfy(n -> assertThat(n).isBetween(700, 1300));
        assertThat(Arrays.stream(weights).boxed()).allSatisfy(n -> assertThat(n).isBetween(850, 1150));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "sticky_least_sessions, 0/3 9/1 0/2,                placed 1 1,   fewest conversations whatever the requests",
                "sticky_least_sessions, 0/0 *99/9 0/0,              sticky 1 1,   kept however busy",
                "sticky_least_sessions, 0/4 *x0/0 0/3,              failover 2 2, its replica cannot be used",
                "sticky_least_sessions, x0/0 0/9,                   placed 1 1,   only those that may be chosen",
                "smg_manual:assignment=min_load, 3/0 1/9 1/0,       placed 1 1,   fewest requests - lowest index on ties",
                "smg_manual:assignment=min_group, 0/3 9/2 0/2,      placed 1 1,   fewest conversations - lowest index on ties",
                "smg_manual, @first_home=1 0/0 *9/9 0/0,            sticky 1 1,   at home",
                "smg_manual:assignment=min_load, @first_home=1 2/0 *x0/0 1/0, failover 2 2, a stand-in by the same rule",
                "smg_manual, @first_home=1 0/0 x0/0 *0/0,           sticky 2 2,   at the stand-in as long as it must",
                "smg_manual, @first_home=1 0/0 0/0 *0/0,            moved 1 1,    back when the first is back",
                "smg_manual:assignment=min_load, @first_home=1 0/0 x0/0 *x0/0, failover 0 0, neither: another stand-in",
                "smg_manual, 0/0 0/0 *0/0,                          sticky 2 2,   its first home has left the fleet",
                "llmd_session, *0/0 0/0,                            sticky 0 0,   soft: the home scores 1 more",
                "llmd_session, *4/0 0/0 1/0,                        sticky 0 0,   soft: 0 + 1 is a tie with an idle one - drawn",
                "llmd_session, *3/0 4/0,                            sticky 0 0,   soft: a quarter and one",
                "llmd_session:max_busy=2:idle_threshold=1, *4/0 3/0 1/0, sticky 0 0, soft: 1 against 1/2 and 1 - drawn",
                "llmd_session:mode=hard, *9/0 0/0,                  sticky 0 0,   hard: the home whatever the load",
                "llmd_session:mode=hard, *x0/0 3/0 2/0,             failover 2 2, hard: bound again when the home cannot be used",
                "llmd_session, 3/0 2/0,                             placed 1 1,   no home: the least busy",
                "soft_affinity_2x, *0/0;cached=0;prefill_tokens=100 0/0;cached=0,  sticky 0 0, 200 tokens against 100: it stays at twice",
                "soft_affinity_2x, *0/0;cached=0;prefill_tokens=101 0/0;cached=0,  moved 1 1,  201 against 100: it moves",
                "soft_affinity_2x, *0/0;cached=90;prefill_tokens=40 0/0;cached=70, sticky 0 0, 50 against 30",
                "soft_affinity_2x:max_ratio=1, *0/0;cached=90;prefill_tokens=40 0/0;cached=70, moved 1 1, 50 against 30 is more than 1",
                "soft_affinity_2x, 2/0;cached=0 1/0;cached=0 1/0;cached=0,         placed 1 1, ties: fewest in flight then lowest index",
                "soft_affinity_2x, *x0/0;cached=100 1/0;cached=0,                  failover 1 1, the home cannot be used",
                "soft_affinity_2x, *1/0;cached=100 0/0;cached=100,                 sticky 0 0, nothing to compute anywhere counts as one token",
            })
    void conversationsArePlacedAndKept(String policy, String fleet, String expected, String why) {
        assertThat(FleetText.words(choose(policy, "s", fleet))).as(why).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "consistent_hash_ring",
                "rendezvous",
                "chwbl",
                "smg_manual",
                "sticky_least_sessions",
                "llmd_session:mode=hard",
                "llmd_session"
            })
    void withoutASessionTheFewestInFlight(String policy) {
        assertThat(FleetText.words(choose(policy, "", "3/0 1/0 2/0"))).isEqualTo("balanced 1 -");
    }

    @Test
    void raysRingHasAPlaceForEveryRequestWithoutASession() {
        int[] chosen = new int[2];
        RoutingPolicy policy = FleetText.policy("ray_consistent_hash");
        for (int seed = 0; seed < 1000; seed++) {
            Placement placement = policy.choose(new RoutingRequest("", 1, seed), FleetText.view("9/0 0/0"));
            assertThat(placement.home()).isEqualTo(FleetView.NONE);
            chosen[placement.replica()]++;
        }
        assertThat(chosen[0]).isBetween(300, 700);
    }

    @Test
    void equalNumbersOfConversationsAreToldApartByTheWeightOfTheNames() {
        int[] placed = new int[3];
        for (int i = 0; i < 300; i++) {
            placed[choose("sticky_least_sessions", "s" + i, "0/5 0/2 0/2").replica()]++;
        }
        assertThat(placed[0]).isZero();
        assertThat(placed[1]).isBetween(100, 200);
        assertThat(choose("sticky_least_sessions", "s", "0/5 0/2 x0/2").scores())
                .containsExactly(5, 2, Double.NaN);
    }

    @Test
    void aRandomAssignmentSaysItsChance() {
        int[] chosen = new int[3];
        RoutingPolicy policy = FleetText.policy("smg_manual");
        for (int seed = 0; seed < 3000; seed++) {
            Placement placement = policy.choose(new RoutingRequest("s", 1, seed), FleetText.view("0/0 x0/0 9/9"));
            assertThat(placement.propensity()).isEqualTo(.5);
            chosen[placement.replica()]++;
        }
        assertThat(chosen[1]).isZero();
        assertThat(chosen[0]).isBetween(1350, 1650);
        assertThat(policy.choose(FleetText.request("s"), FleetText.view("@first_home=0 *0/0 0/0"))
                        .propensity())
                .isEqualTo(1);
    }

    @Test
    void aDrawnTieSaysItsChance() {
        FleetView view = FleetText.view("*4/0 0/0 0/0 1/0");
        int[] chosen = new int[4];
        for (int seed = 0; seed < 3000; seed++) {
            Placement placement = FleetText.policy("llmd_session").choose(new RoutingRequest("s", 1, seed), view);
            assertThat(placement.propensity()).isEqualTo(1.0 / 3);
            chosen[placement.replica()]++;
        }
        assertThat(chosen[3]).isZero();
        assertThat(chosen[0]).isBetween(870, 1130);
    }

    private static Placement choose(String policy, String session, String fleet) {
        return POLICIES.computeIfAbsent(policy, FleetText::policy)
                .choose(FleetText.request(session), FleetText.view(fleet));
    }
}

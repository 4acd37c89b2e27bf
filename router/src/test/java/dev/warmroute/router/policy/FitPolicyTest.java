package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Caches of 1000 tokens of which 100 are common; a conversation has 250 of its own, so that 3.6 of them fit. */
class FitPolicyTest {
    private static final String LEARNT =
            "@held_ahead=0 @held=0 @waited_s=0 @hold_expired=0 @common_tokens=100 @private_tokens=250 @turns_per_s=1 ";
    private static final String DEAR = "@lost_prefix_s=2 @idle_place_s=2 @answer_s=2 ";
    private static final String FREE = "@lost_prefix_s=0.01 @idle_place_s=2 @answer_s=2 ";
    private final RoutingPolicy policy = FleetText.policy("fit");

    private Placement choose(String rest) {
        return policy.choose(FleetText.request("s"), FleetText.view(LEARNT + rest));
    }

    /** A replica with places, some of them lapsed. */
    private static String fleet(String text) {
        return text.replaceAll(";places", ";capacity_tokens=1000;places");
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "0/0;places=2 0/0;places=1,                            placed 1 1, fewest conversations",
        "3/0;places=1 2/0;places=1,                            placed 1 1, then fewest in flight",
        "0/0;places=1 0/0;places=1,                            placed 0 0, then the lowest index",
        "0/0;places=3 *0/0;places=2,                           sticky 1 1, at home while there is a free place",
        "*0/0;places=3 0/0;places=2,                           moved 1 1,  its place is taken and another free",
        "*x0/0;places=0 0/0;places=2,                          failover 1 1, the home is down",
        "@place=0 *0/0;places=3 0/0;places=0,                  sticky 0 0, where it has its place",
        "@place=0 *0/0;places=4 0/0;places=0,                  sticky 0 0, 4 are not too many yet: 3.6 / 0.9",
        "@place=0 *0/0;places=5 0/0;places=0,                  moved 1 1,  5 are: the next to speak moves",
        "@place=0 *0/0;places=5;lapsed_places=1 0/0;places=0,  sticky 0 0, those who have gone do not count",
        "0/0;places=3;lapsed_places=1 0/0;places=3,            placed 0 0, a place that has lapsed is free",
        "0/0;places=3 0/0;places=3,                            held - -,   nothing is free",
        "*0/0;places=3 0/0;places=3,                           held - 0,   held and the home stays",
        "@place=0 *0/0;places=5 0/0;places=3,                  held - 0,   too many everywhere",
    })
    void conversationsHavePlaces(String replicas, String expected, String why) {
        assertThat(FleetText.words(choose(DEAR + fleet(replicas)))).as(why).isEqualTo(expected);
    }

    @Test
    void nobodyPassesThoseWhoWait() {
        String free = fleet("0/0;places=1 0/0;places=3");
        assertThat(choose(DEAR + free).chosen()).isTrue();
        assertThat(choose(DEAR + "@held_ahead=1 @held=1 " + free).held()).isTrue();
        assertThat(choose(DEAR + "@place=0 @held_ahead=1 @held=1 " + free).replica())
                .as("but a conversation with a place goes on")
                .isZero();
    }

    @Test
    void theFirstInLineIsGivenTheLongestIdlePlaceAfterSoManyRounds() {
        // 3 + 3 conversations, this one and one behind it at one turn a second: 8 s a round, 17.6 s for 2.2 of them.
        String full = DEAR + "@held=1 " + fleet("0/0;places=3;longest_idle_s=1 0/0;places=3;longest_idle_s=3");
        Placement early = choose(full + " @waited_s=17.5");
        assertThat(early.held()).isTrue();
        assertThat(early.askAgainSeconds()).isBetween(0.09, 0.11);
        assertThat(FleetText.words(choose(full + " @waited_s=17.6"))).isEqualTo("placed 1 1");
        Placement nobodyIdle = choose(DEAR + "@held=1 " + fleet("0/0;places=3 0/0;places=3") + " @waited_s=17.6");
        assertThat(nobodyIdle.held()).as("nobody is between turns").isTrue();
        assertThat(nobodyIdle.askAgainSeconds()).as("until something changes").isInfinite();
    }

    @Test
    void whatMayNotBeHeldAnyLongerIsPlacedAllTheSame() {
        String full = fleet("0/0;places=5 0/0;places=3");
        assertThat(FleetText.words(choose(DEAR + "@hold_expired=1 @held_ahead=3 " + full)))
                .isEqualTo("overflow 1 1");
        assertThat(FleetText.words(
                        choose(DEAR + "@hold_expired=1 " + fleet("0/0;places=5;longest_idle_s=9 0/0;places=3"))))
                .as("in the place of whoever is idle")
                .isEqualTo("overflow 0 0");
    }

    @Test
    void holdsOnlyWhereItPays() {
        String full = fleet("1/3;places=3 0/3;places=3");
        assertThat(choose(DEAR + full).held()).isTrue();
        assertThat(FleetText.words(choose(FREE + full))).as("as warden does").isEqualTo("placed 1 1");
        assertThat(FleetText.words(choose(full)))
                .as("before anything is learnt")
                .isEqualTo("held - -");
        assertThat(FleetText.policy("fit:worth=0")
                        .choose(FleetText.request("s"), FleetText.view(LEARNT + FREE + full))
                        .held())
                .isTrue();
    }

    /**
     * Where {@code X_h = worth * X_l} for the seconds {@code p} of a lost prefix, by hand from the formula in {@link FitPolicy}:
     * k = 3, (C - S) / w = 3.6, z = 2, d = 2. With n = 3.5, m = 0.1444 and 3.5 / (4 + 0.5056 p) = 0.8333; with n = 13.5, m = 1 and
     * 3 / (2 + 3 p) = 0.8333; with worth = 0.5 and n = 13.5, 13.5 / (4 + 13.5 p) = 1.5 or 3 / (2 + 3 p) = 1.5, whichever comes
     * first.
     */
    @ParameterizedTest(name = "{4}")
    @CsvSource({
        "fit,            '',       1/3;places=3 0/3;places=3,                            0.3956, a few too many",
        "fit,            '',       1/3;places=4;lapsed_places=1 0/3;places=3,            0.3956, those who have gone are none",
        "fit,            '',       1/3;places=3 x0/9;places=9 0/3;places=3,              0.5333, of a replica that is down the conversations count and its cache does not",
        "fit,            @held=20, 1/3;places=3 0/3;places=3,                            0.5333, far too many: all prefixes are lost",
        "fit:worth=0.5,  @held=20, 1/3;places=3 0/3;places=3,                            0.0001, holding may cost half",
        "fit:worth=1.25, @held=20, 1/3;places=3 0/3;places=3,                            1.0000, holding must bring a quarter more",
    })
    void holdsFromSuchAPriceOfALostPrefixOn(String name, String held, String replicas, double price, String why) {
        RoutingPolicy fit = FleetText.policy(name);
        String rest = LEARNT + "@idle_place_s=2 @answer_s=2 " + held + ' ' + fleet(replicas) + " @lost_prefix_s=";
        assertThat(fit.choose(FleetText.request("s"), FleetText.view(rest + (price + 0.0005)))
                        .held())
                .as(why)
                .isTrue();
        assertThat(fit.choose(FleetText.request("s"), FleetText.view(rest + Math.max(0, price - 0.0005)))
                        .held())
                .as(why)
                .isFalse();
    }

    @Test
    void withoutAKnownCacheItIsWarden() {
        assertThat(FleetText.words(choose(DEAR + "1/9;places=9 0/9;places=9"))).isEqualTo("placed 1 1");
    }

    @Test
    void theEventSaysHowManyFit() {
        Placement placed = choose(DEAR + fleet("0/0;places=2 0/0;places=1"));
        assertThat(placed.threshold()).isEqualTo(3);
        assertThat(placed.room()).isEqualTo(3);
        assertThat(FleetText.policy("fit:places=2")
                        .choose(FleetText.request("s"), FleetText.view(LEARNT + DEAR + fleet("0/0;places=2")))
                        .held())
                .isTrue();
        assertThat(FleetText.words(FleetText.policy("fit:places=2")
                        .choose(
                                FleetText.request("s"),
                                FleetText.view(LEARNT + DEAR + "@place=0 " + fleet("*0/0;places=3 0/0;places=1")))))
                .as("the third on a replica for two moves when it speaks")
                .isEqualTo("moved 1 1");
    }
}

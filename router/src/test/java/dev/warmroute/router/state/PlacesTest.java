package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlacesTest {
    private final Places places = new Places();

    @Test
    void aConversationKeepsItsPlaceBetweenTurns() {
        places.begin("a", "r0", 2);
        places.end("a", "r0", 10);
        assertThat(places.of("a")).isEqualTo("r0");
        assertThat(places.on("r0")).isEqualTo(1);
        places.begin("a", "r0", 2);
        assertThat(places.on("r0")).isEqualTo(1);
        assertThat(places.longestIdleNanos("r0", 20)).isEqualTo(-1);
    }

    @Test
    void anIdlePlaceLapsesAndGoesToTheNextOnlyWhenItIsNeeded() {
        places.begin("a", "r0", 2);
        places.begin("b", "r0", 2);
        places.end("a", "r0", 10);
        places.end("b", "r0", 12);
        assertThat(places.nextLapse(5, 13)).isEqualTo(15);
        assertThat(places.lapsed("r0", 5, 14)).isZero();
        assertThat(places.lapsed("r0", 5, 15)).isEqualTo(1);
        assertThat(places.nextLapse(5, 15)).isEqualTo(17);
        assertThat(places.of("a")).as("lapsed, not gone").isEqualTo("r0");
        places.begin("c", "r0", 2);
        assertThat(places.of("a")).as("the longest idle").isEmpty();
        assertThat(places.of("b")).isEqualTo("r0");
        assertThat(places.on("r0")).isEqualTo(2);
    }

    @Test
    void nobodyWithATurnUnderWayLosesAPlace() {
        places.begin("a", "r0", 1);
        places.begin("b", "r0", 1);
        assertThat(places.on("r0")).isEqualTo(2);
        assertThat(places.of("a")).isEqualTo("r0");
        places.giveUp("a");
        assertThat(places.of("a")).isEqualTo("r0");
        places.end("a", "r0", 5);
        places.giveUp("a");
        assertThat(places.of("a")).isEmpty();
        assertThat(places.on("r0")).isEqualTo(1);
    }

    @Test
    void twoTurnsAtATimeAreOnePlaceAndItIsWhereTheFirstOfThemIs() {
        places.begin("a", "r0", 1);
        places.begin("a", "r0", 1);
        places.begin("a", "r1", 1);
        assertThat(places.of("a")).isEqualTo("r0");
        assertThat(places.on("r1")).isZero();
        places.end("a", "r1", 1);
        places.end("a", "r0", 2);
        assertThat(places.longestIdleNanos("r0", 9)).isEqualTo(-1);
        places.end("a", "r0", 3);
        assertThat(places.longestIdleNanos("r0", 9)).isEqualTo(6);
        places.begin("a", "r1", 1);
        assertThat(places.on("r0")).isZero();
        assertThat(places.on("r1")).isEqualTo(1);
    }

    @Test
    void whatIsForgottenLeavesNothingBehind() {
        places.begin("a", "r0", 1);
        places.begin("b", "r1", 1);
        places.end("a", "r0", 0);
        places.end("b", "r1", 5);
        places.expire(10, 10);
        assertThat(places.of("a")).isEmpty();
        assertThat(places.of("b")).isEqualTo("r1");
        places.begin("b", "r1", 1);
        places.forgetReplica("r1");
        places.end("b", "r1", 20);
        assertThat(places.of("b")).isEmpty();
        assertThat(places.on("r1")).isZero();
    }
}

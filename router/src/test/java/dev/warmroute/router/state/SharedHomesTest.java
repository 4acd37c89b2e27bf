package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.Home;
import dev.warmroute.router.state.SharedHomes.Adopted;
import dev.warmroute.router.state.SharedHomes.Consequence;
import dev.warmroute.router.state.SharedHomes.Restored;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SharedHomesTest {
    private static final long IDLE = 1800_000_000L;
    private static final long NOW = 10 * IDLE;

    private static SharedHomes empty(String writer) {
        SharedHomes homes = new SharedHomes(writer, "m", IDLE, 100);
        assertThat(homes.restored(NOW)).isEqualTo(new Restored(List.of(), List.of()));
        return homes;
    }

    private static Home home(String replica, long generation, String writer) {
        return new Home("s", "m", replica, generation, writer, NOW, OptionalLong.empty());
    }

    private static Home repeated(Home home, long offset, String writer) {
        return new Home(
                "s", "m", home.replica(), home.generation(), writer, home.lastUsedUs(), OptionalLong.of(offset));
    }

    @Test
    void aNewHomeIsTheNextGenerationAndOneInUseIsSaidAgainNowAndThen() {
        SharedHomes a = empty("a");
        assertThat(a.used("s", "r0", NOW)).contains(home("r0", 1, "a"));
        assertThat(a.read(home("r0", 1, "a"), 7, NOW)).isEqualTo(Consequence.NONE);
        assertThat(a.used("s", "r0", NOW + SharedHomes.TOUCH_US - 1)).isEmpty();
        assertThat(a.used("s", "r0", NOW + SharedHomes.TOUCH_US))
                .contains(new Home("s", "m", "r0", 1, "a", NOW + SharedHomes.TOUCH_US, OptionalLong.of(7)));
        assertThat(a.used("s", "r1", NOW + SharedHomes.TOUCH_US + 1))
                .contains(new Home("s", "m", "r1", 2, "a", NOW + SharedHomes.TOUCH_US + 1, OptionalLong.empty()));
    }

    @Test
    void ofTwoWritesOfOneGenerationTheFirstWinsAndTheLoserSaysSo() {
        SharedHomes a = empty("a");
        SharedHomes b = empty("b");
        Home fromA = a.used("s", "r0", NOW).orElseThrow();
        Home fromB = b.used("s", "r1", NOW).orElseThrow();

        assertThat(b.read(fromA, 0, NOW))
                .isEqualTo(new Consequence(Optional.of(new Adopted("s", "r0", NOW)), Optional.empty()));
        assertThat(a.read(fromA, 0, NOW)).isEqualTo(Consequence.NONE);
        assertThat(a.read(fromB, 1, NOW)).isEqualTo(Consequence.NONE);
        Home again = repeated(fromA, 0, "b");
        assertThat(b.read(fromB, 1, NOW)).isEqualTo(new Consequence(Optional.empty(), Optional.of(again)));
        assertThat(b.read(again, 2, NOW)).isEqualTo(Consequence.NONE);
    }

    @Test
    void aRepeatedHomeCountsAsItsFirstWriteWhenCompactionHasTakenThatAway() {
        SharedHomes late = empty("late");
        Home loser = home("r1", 1, "b");
        Home winner = home("r0", 1, "a");
        assertThat(late.read(loser, 5, NOW).adopted()).contains(new Adopted("s", "r1", NOW));
        assertThat(late.read(repeated(winner, 4, "b"), 6, NOW).adopted()).contains(new Adopted("s", "r0", NOW));
    }

    @Test
    void aHomeThatWasMovedMeanwhileIsNotMovedBackByAnOlderWrite() {
        SharedHomes a = empty("a");
        a.used("s", "r0", NOW);
        a.used("s", "r2", NOW);
        assertThat(a.read(home("r1", 1, "b"), 0, NOW)).isEqualTo(Consequence.NONE);
        assertThat(a.read(home("r0", 1, "a"), 1, NOW)).isEqualTo(Consequence.NONE);
        assertThat(a.read(home("r2", 2, "a"), 2, NOW)).isEqualTo(Consequence.NONE);
    }

    @Test
    void whatALoserThatIsGoneLeftBehindIsPutRightByTheNextUseAndByTheNextStart() {
        Home winner = home("r0", 1, "a");
        Home loser = home("r1", 1, "gone");
        SharedHomes a = empty("a");
        a.used("s", "r0", NOW);
        a.read(winner, 0, NOW);
        a.read(loser, 1, NOW);
        assertThat(a.used("s", "r0", NOW + 1)).contains(new Home("s", "m", "r0", 1, "a", NOW + 1, OptionalLong.of(0)));
        assertThat(a.used("s", "r0", NOW + 2)).isEmpty();

        SharedHomes starting = new SharedHomes("b", "m", IDLE, 100);
        starting.read(winner, 0, NOW);
        starting.read(loser, 1, NOW);
        assertThat(starting.restored(NOW))
                .isEqualTo(new Restored(List.of(new Adopted("s", "r0", NOW)), List.of(repeated(winner, 0, "b"))));
    }

    @Test
    void homesAreRestoredInOrderOfUseWithoutThoseThatAreTooOldToMatter() {
        SharedHomes homes = new SharedHomes("a", "m", IDLE, 100);
        long offset = 0;
        for (Map.Entry<String, Long> each :
                List.of(Map.entry("x", NOW - 5), Map.entry("y", NOW - IDLE), Map.entry("z", NOW - 9))) {
            homes.read(
                    new Home(each.getKey(), "m", "r1", 3, "a", each.getValue(), OptionalLong.empty()), offset++, NOW);
        }
        Restored restored = homes.restored(NOW);
        assertThat(restored.adopted())
                .containsExactly(new Adopted("z", "r1", NOW - 9), new Adopted("x", "r1", NOW - 5));
        assertThat(restored.writes()).isEmpty();
        assertThat(homes.used("y", "r2", NOW))
                .hasValueSatisfying(h -> assertThat(h.generation()).isEqualTo(4));
    }

    @Test
    void aPlacementBeforeTheLogCouldBeReadStandsUnlessSomebodyUsedTheEarlierHomeSince() {
        Home earlier = new Home("s", "m", "r0", 4, "b", NOW - 100, OptionalLong.empty());
        SharedHomes alone = new SharedHomes("a", "m", IDLE, 100);
        assertThat(alone.used("s", "r1", NOW)).isEmpty();
        alone.read(earlier, 0, NOW);
        assertThat(alone.restored(NOW)).isEqualTo(new Restored(List.of(), List.of(home("r1", 5, "a"))));

        SharedHomes oneOfTwo = new SharedHomes("a", "m", IDLE, 100);
        oneOfTwo.used("s", "r1", NOW);
        oneOfTwo.read(new Home("s", "m", "r0", 4, "b", NOW + 3, OptionalLong.empty()), 0, NOW + 4);
        assertThat(oneOfTwo.restored(NOW + 4))
                .isEqualTo(new Restored(List.of(new Adopted("s", "r0", NOW + 3)), List.of()));

        SharedHomes first = new SharedHomes("a", "m", IDLE, 100);
        first.used("s", "r1", NOW);
        assertThat(first.restored(NOW)).isEqualTo(new Restored(List.of(), List.of(home("r1", 1, "a"))));
    }

    @Test
    void aConversationIsForgottenAfterTwiceTheIdleTimeByAnyRouter() {
        SharedHomes a = empty("a");
        a.read(home("r0", 1, "b"), 0, NOW);
        assertThat(a.sweep(NOW + 2 * IDLE - 1)).isEmpty();
        List<Home> tombstones = a.sweep(NOW + 2 * IDLE);
        assertThat(tombstones).containsExactly(Home.tombstone("s", "m", "a", NOW));
        assertThat(a.size()).isZero();
        assertThat(a.read(tombstones.get(0), 1, NOW + 2 * IDLE)).isEqualTo(Consequence.NONE);
    }

    @Test
    void aRouterThatUsesAConversationDoesNotLetOthersForgetIt() {
        SharedHomes a = empty("a");
        a.used("s", "r0", NOW);
        a.read(home("r0", 1, "a"), 0, NOW);
        Home tombstone = Home.tombstone("s", "m", "b", NOW);
        assertThat(a.read(tombstone, 1, NOW + IDLE - 1).write()).contains(home("r0", 1, "a"));
        assertThat(a.read(tombstone, 2, NOW + IDLE)).isEqualTo(Consequence.NONE);
        assertThat(a.size()).isZero();
    }

    @Test
    void theLongestUnusedIsDroppedWhenThereAreTooManyAndLearntAgain() {
        SharedHomes a = new SharedHomes("a", "m", IDLE, 2);
        a.restored(NOW);
        for (String session : List.of("s", "t", "u")) {
            a.used(session, "r0", NOW);
        }
        assertThat(a.size()).isEqualTo(2);
        assertThat(a.read(home("r1", 3, "b"), 9, NOW).adopted()).contains(new Adopted("s", "r1", NOW));
    }

    /** Nothing lost, nobody killed: once everything is written and read all routers have the same homes. */
    @Property(tries = 500)
    void anyInterleavingOfRoutersConverges(@ForAll long seed, @ForAll @IntRange(min = 2, max = 3) int routers) {
        HomesWorld world = new HomesWorld(seed, routers, 4, 3);
        for (int i = 0; i < 200; i++) {
            world.step();
        }
        world.settle();
        requireAgreement(world);
    }

    /** With lost writes, kills, restarts, expiry and compaction they agree once each conversation in use was used again. */
    @Property(tries = 1000)
    void routersAgreeAgainAfterLossesRestartsAndCompaction(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 3) int routers) {
        HomesWorld world = new HomesWorld(seed, routers, 4, 3);
        for (int i = 0; i < 300; i++) {
            world.roughStep();
        }
        world.settle();
        world.useAllAtHome();
        world.settle();
        requireAgreement(world);
    }

    private static void requireAgreement(HomesWorld world) {
        Map<String, String> homes = world.routers().get(0).homes();
        assertThat(world.routers()).allSatisfy(r -> assertThat(r.homes()).isEqualTo(homes));
        assertThat(world.foundByAFreshRouter()).isEqualTo(homes);
        world.compactAll();
        assertThat(world.foundByAFreshRouter()).isEqualTo(homes);
    }
}

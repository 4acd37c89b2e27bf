package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SessionsTest {
    @Test
    void aConversationIsForgottenAfterTheIdleTimeAndLivesForTheLiveTime() {
        Sessions sessions = new Sessions(1000, 100, 10);
        sessions.use("s", "r0", 0);
        assertThat(sessions.home("s", 99)).isEqualTo("r0");
        assertThat(sessions.live("r0")).isEqualTo(1);
        assertThat(sessions.home("s", 100)).isEqualTo("r0");
        assertThat(sessions.live("r0")).isZero();
        assertThat(sessions.home("s", 999)).isEqualTo("r0");
        assertThat(sessions.home("s", 1000)).isEmpty();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void aRequestBringsAConversationBackToLife() {
        Sessions sessions = new Sessions(1000, 100, 10);
        sessions.use("s", "r0", 0);
        sessions.use("s", "r0", 500);
        assertThat(sessions.live("r0")).isEqualTo(1);
        assertThat(sessions.home("s", 1499)).isEqualTo("r0");
    }

    @Test
    void movingHomeMovesTheLiveCount() {
        Sessions sessions = new Sessions(1000, 100, 10);
        sessions.use("s", "r0", 0);
        sessions.use("s", "r1", 1);
        assertThat(sessions.live("r0")).isZero();
        assertThat(sessions.live("r1")).isEqualTo(1);
    }

    @Test
    void theLongestUnusedGoesFirstWhenThereAreTooMany() {
        Sessions sessions = new Sessions(1000, 100, 2);
        sessions.use("a", "r0", 0);
        sessions.use("b", "r0", 1);
        sessions.use("a", "r0", 2);
        sessions.use("c", "r1", 3);
        assertThat(sessions.home("b", 4)).isEmpty();
        assertThat(sessions.home("a", 4)).isEqualTo("r0");
        assertThat(sessions.home("c", 4)).isEqualTo("r1");
        assertThat(sessions.live("r0")).isEqualTo(1);
    }

    @Test
    void aReplicasConversationsAreForgottenTogether() {
        Sessions sessions = new Sessions(1000, 100, 10);
        sessions.use("a", "r0", 0);
        sessions.use("b", "r1", 0);
        sessions.use("c", "r0", 0);
        assertThat(sessions.forgetReplica("r0")).isEqualTo(2);
        assertThat(sessions.live("r0")).isZero();
        assertThat(sessions.home("b", 1)).isEqualTo("r1");
        sessions.use("a", "r1", 2);
        assertThat(sessions.live("r1")).isEqualTo(2);
    }

    @Test
    void whatHappenedElsewhereCountsFromWhenItHappened() {
        Sessions sessions = new Sessions(1000, 100, 10);
        sessions.adopt("a", "r0", 950, 1000);
        sessions.adopt("b", "r0", 800, 1000);
        sessions.adopt("c", "r0", 0, 1000);
        assertThat(sessions.live("r0")).isEqualTo(1);
        assertThat(sessions.home("b", 1001)).isEqualTo("r0");
        assertThat(sessions.home("c", 1001)).isEmpty();
        assertThat(sessions.home("a", 1050)).isEqualTo("r0");
        assertThat(sessions.live("r0")).isZero();
        assertThat(sessions.home("b", 1800)).isEmpty();
        assertThat(sessions.home("a", 1800)).isEqualTo("r0");
    }

    @Test
    void aHomeGivenElsewhereMovesTheLiveCountAndKeepsTheLaterUse() {
        Sessions sessions = new Sessions(1000, 100, 10);
        sessions.use("a", "r0", 50);
        sessions.adopt("a", "r1", 20, 60);
        assertThat(sessions.home("a", 60)).isEqualTo("r1");
        assertThat(sessions.live("r0")).isZero();
        assertThat(sessions.live("r1")).isEqualTo(1);
        sessions.home("", 149);
        assertThat(sessions.live("r1")).isEqualTo(1);
        sessions.home("", 150);
        assertThat(sessions.live("r1")).isZero();
        assertThat(sessions.home("a", 1049)).isEqualTo("r1");
        assertThat(sessions.home("a", 1050)).isEmpty();
    }

    private record Known(String home, long lastUsed, long order) {}

    /** Random use against a map that is searched from end to end for every answer. */
    @Property(tries = 300)
    void homesLiveCountsAndBoundsAreThoseOfTheDefinition(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int maxSessions) {
        Random random = new Random(seed);
        long idle = 200;
        long live = 60;
        Sessions sessions = new Sessions(idle, live, maxSessions);
        Map<String, Known> model = new HashMap<>();
        long now = 0;
        for (int i = 0; i < 300; i++) {
            now += random.nextInt(4) == 0 ? random.nextInt(50) : 0;
            long at = now;
            String session = "s" + random.nextInt(20);
            String replica = "r" + random.nextInt(3);
            model.values().removeIf(k -> at - k.lastUsed() >= idle);
            switch (random.nextInt(12)) {
                case 0 -> {
                    sessions.forget(session);
                    model.remove(session);
                }
                case 1 -> {
                    sessions.home("", at);
                    long before = model.size();
                    model.values().removeIf(k -> k.home().equals(replica));
                    assertThat(sessions.forgetReplica(replica)).isEqualTo((int) (before - model.size()));
                }
                case 2 -> {
                    long lastUsed = at - random.nextInt(2 * (int) idle);
                    sessions.adopt(session, replica, lastUsed, at);
                    Known known = model.get(session);
                    if (at - lastUsed < idle && (known != null || model.size() < maxSessions)) {
                        model.put(
                                session,
                                known == null || lastUsed >= known.lastUsed()
                                        ? new Known(replica, lastUsed, i)
                                        : new Known(replica, known.lastUsed(), known.order()));
                    } else if (at - lastUsed < idle) {
                        model.remove(model.entrySet().stream()
                                .min(Comparator.comparingLong(e -> e.getValue().order()))
                                .orElseThrow()
                                .getKey());
                        model.put(session, new Known(replica, lastUsed, i));
                    }
                }
                case 3 ->
                    assertThat(sessions.home(session, at))
                            .isEqualTo(
                                    model.containsKey(session)
                                            ? model.get(session).home()
                                            : "");
                default -> {
                    sessions.use(session, replica, at);
                    model.put(session, new Known(replica, at, i));
                    if (model.size() > maxSessions) {
                        model.remove(model.entrySet().stream()
                                .min(Comparator.comparingLong(e -> e.getValue().order()))
                                .orElseThrow()
                                .getKey());
                    }
                }
            }
            sessions.home("", at);
            assertThat(sessions.size()).isEqualTo(model.size()).isLessThanOrEqualTo(maxSessions);
            List<Long> counts = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            for (String r : List.of("r0", "r1", "r2")) {
                counts.add((long) sessions.live(r));
                expected.add(model.values().stream()
                        .filter(k -> k.home().equals(r) && at - k.lastUsed() < live)
                        .count());
            }
            assertThat(counts).isEqualTo(expected);
        }
    }
}

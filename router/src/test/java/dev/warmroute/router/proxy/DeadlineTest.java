package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On an event loop whose time passes only when a test says so. */
class DeadlineTest implements Deadline.Waiting {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> missed = new ArrayList<>();
    private long now;
    private boolean slow;
    private final Deadline deadline = new Deadline(channel.eventLoop(), () -> now, this);

    @Override
    public boolean clientIsSlow() {
        return slow;
    }

    @Override
    public void missed(String what) {
        missed.add(what + " at " + now / SECOND);
    }

    @BeforeEach
    void stopTime() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void passSeconds(int n) {
        for (int i = 0; i < n; i++) {
            now += SECOND;
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void bytesMoveItAndItIsMissedOnce() {
        deadline.within(3 * SECOND, "late");
        passSeconds(2);
        deadline.within(3 * SECOND, "late");
        passSeconds(20);
        assertThat(missed).containsExactly("late at 5");
    }

    @Test
    void aShorterOneThatIsEarlierCounts() {
        deadline.within(60 * SECOND, "no first byte");
        passSeconds(10);
        deadline.within(5 * SECOND, "idle");
        passSeconds(4);
        deadline.within(5 * SECOND, "idle");
        passSeconds(100);
        assertThat(missed).containsExactly("idle at 19");
    }

    @Test
    void onceOverItIsNotMissedAndMayBeginAgain() {
        deadline.within(10 * SECOND, "first");
        deadline.over();
        passSeconds(5);
        deadline.within(2 * SECOND, "second");
        passSeconds(1);
        assertThat(missed).isEmpty();
        passSeconds(20);
        assertThat(missed).containsExactly("second at 7");
        deadline.within(SECOND, "third");
        deadline.within(0, "never");
        passSeconds(20);
        assertThat(missed).hasSize(1);
    }

    @Test
    void aSlowClientGivesTheReplicaMoreTime() {
        deadline.within(3 * SECOND, "late");
        slow = true;
        passSeconds(3);
        slow = false;
        passSeconds(2);
        assertThat(missed).isEmpty();
        passSeconds(20);
        assertThat(missed).containsExactly("late at 6");
    }
}

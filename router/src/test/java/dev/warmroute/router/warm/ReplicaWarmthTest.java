package dev.warmroute.router.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.warm.WarmState.Phase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplicaWarmthTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

    private String begun() throws InterruptedException {
        return begun.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void aStopWaitsForTheOneWarmUpOnlyAndTheNextBeginsAfterwards() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<String> stopped = new CopyOnWriteArrayList<>();
        ReplicaWarmth warmth = new ReplicaWarmth("r0", (replica, reason) -> {
            begun.add(reason);
            try {
                end.await();
            } catch (InterruptedException e) {
                stopped.add(reason);
                replica.begin("up", 1); // comes back while its warm-up is being stopped
            }
        });
        warmth.begin("start", 1);
        assertThat(begun()).isEqualTo("start");
        assertThat(warmth.stop(LONG)).isTrue();
        assertThat(stopped).containsExactly("start");
        assertThat(begun()).isEqualTo("up");
        assertThat(warmth.state().phase()).isEqualTo(Phase.WARMING);
        end.countDown();
        await().atMost(Duration.ofSeconds(20)).until(() -> warmth.state().phase() == Phase.COLD);
        assertThat(warmth.stop(LONG)).isFalse();
    }

    @Test
    void aWarmUpThatFailsOrDoesNothingIsOverAndAnotherMayBegin() throws Exception {
        ReplicaWarmth warmth = new ReplicaWarmth("r0", (replica, reason) -> {
            begun.add(reason);
            if (reason.equals("start")) {
                throw new IllegalStateException("of the test");
            }
        });
        for (String reason : List.of("start", "up")) {
            warmth.begin(reason, 3);
            assertThat(begun()).isEqualTo(reason);
            await().atMost(Duration.ofSeconds(20)).until(() -> warmth.state().phase() == Phase.COLD);
        }
    }
}

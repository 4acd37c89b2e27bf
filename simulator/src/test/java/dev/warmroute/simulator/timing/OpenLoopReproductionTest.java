package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The RTX 5090 preset under the load it was measured with: Poisson arrivals of 1,024 prompt tokens and 128 output tokens,
 * 2,048 tokens a step, a KV cache for 124 requests. The batching here is the simplest that has these three rules.
 */
class OpenLoopReproductionTest {
    private static final int PROMPT = 1024;
    private static final int OUTPUT = 128;
    private static final int BUDGET = 2048;
    private static final int ROOM = 124;
    private static final int REQUESTS = 1500;

    /** 12 requests/s is 91 % of what the card can serve, where every percent of the law is ten of the answer. */
    @ParameterizedTest(name = "{0} requests/s: {1} ms a token")
    @CsvSource({"1, 6.65, 6", "2, 7.17, 6", "4, 8.57, 6", "8, 11.82, 7", "10, 13.99, 12", "12, 19.41, 45"})
    void publishedTimesPerTokenAreReproduced(double perSecond, double millis, double percent) {
        assertThat(run(perSecond).millisPerToken()).isCloseTo(millis, Percentage.withPercentage(percent));
    }

    @ParameterizedTest(name = "offered {0} requests/s, {1} served")
    @CsvSource({"16, 13.2", "40, 13.2"})
    void publishedSaturationIsReproduced(double perSecond, double served) {
        assertThat(run(perSecond).perSecond()).isCloseTo(served, Percentage.withPercentage(8));
    }

    private record Result(double millisPerToken, double perSecond) {}

    private static Result run(double perSecond) {
        StepTimeLaw law = TimingPresets.RTX5090_QWEN3_4B.preset().law();
        SplittableRandom random = new SplittableRandom(5090);
        ArrayDeque<Long> arrivals = new ArrayDeque<>();
        double at = 0;
        for (int i = 0; i < REQUESTS; i++) {
            at += -Math.log(1 - random.nextDouble()) / perSecond * 1e9;
            arrivals.add((long) at);
        }
        List<int[]> running = new ArrayList<>(); // generated tokens
        List<Long> firstTokens = new ArrayList<>();
        double perToken = 0;
        long now = 0;
        int done = 0;
        while (done < REQUESTS) {
            int prefills = 0;
            int decoding = running.size();
            while (!arrivals.isEmpty()
                    && arrivals.peek() <= now
                    && decoding + prefills < ROOM
                    && decoding + (prefills + 1) * PROMPT <= BUDGET) {
                arrivals.poll();
                prefills++;
            }
            if (prefills + decoding == 0) {
                now = arrivals.peek();
                continue;
            }
            long kv = 0;
            for (int[] request : running) {
                kv += PROMPT + request[0];
            }
            now += law.stepNanos(
                    (long) prefills * PROMPT, prefills * StepTimeLaw.chunkAttention(PROMPT, 0), decoding, kv);
            for (int i = running.size() - 1; i >= 0; i--) {
                if (++running.get(i)[0] == OUTPUT) {
                    perToken += (now - firstTokens.get(i)) / 1e6 / (OUTPUT - 1);
                    running.remove(i);
                    firstTokens.remove(i);
                    done++;
                }
            }
            for (int i = 0; i < prefills; i++) {
                running.add(new int[] {1});
                firstTokens.add(now);
            }
        }
        return new Result(perToken / REQUESTS, REQUESTS / (now / 1e9));
    }
}

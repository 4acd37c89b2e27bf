package dev.warmroute.router.warm;

import dev.warmroute.router.ask.AnswerTooLarge;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One warm-up of one replica: so many prompts at a time, until all are done, the replica cannot be reached any more, or the
 * thread that waits for it is interrupted.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    private final PromptWarmer warmer;
    private final List<WarmPrompt> prompts;
    private final int concurrency;
    private final Consumer<WarmedPrompt> told;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReferenceArray<WarmedPrompt> done;
    /** Why no further prompt is begun; empty while there is no reason. */
    private volatile String over = "";

    private volatile boolean stopped;

    /** @param told hears of every prompt when it is done, on several threads */
    WarmUp(PromptWarmer warmer, List<WarmPrompt> prompts, int concurrency, Consumer<WarmedPrompt> told) {
        this.warmer = warmer;
        this.prompts = prompts;
        this.concurrency = concurrency;
        this.told = told;
        this.done = new AtomicReferenceArray<>(prompts.size());
    }

    /** Whether somebody stopped it: what it says was warmed may be gone. */
    boolean stopped() {
        return stopped;
    }

    /** What became of each prompt; when this returns, no request is under way. */
    List<WarmedPrompt> run() {
        List<Thread> workers = IntStream.range(0, Math.min(concurrency, prompts.size()))
                .mapToObj(i -> Thread.ofVirtual().name("warmroute-warm-" + i).start(this::work))
                .toList();
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            over = "the warm-up was stopped";
            stopped = true;
            workers.forEach(Thread::interrupt);
            workers.forEach(WarmUp::awaitEnd);
        }
        List<WarmedPrompt> ended = new ArrayList<>(prompts.size());
        for (int i = 0; i < prompts.size(); i++) {
            WarmedPrompt warmed = done.get(i);
            ended.add(
                    warmed != null
                            ? warmed
                            : WarmedPrompt.skipped(prompts.get(i).name(), over));
        }
        return ended;
    }

    /** An interrupted worker ends at once; a second interruption of the one who waits says nothing new. */
    private static void awaitEnd(Thread worker) {
        while (worker.isAlive()) {
            try {
                worker.join();
            } catch (InterruptedException e) {
                continue;
            }
        }
    }

    private void work() {
        for (int i = next.getAndIncrement(); i < prompts.size() && over.isEmpty(); i = next.getAndIncrement()) {
            try {
                WarmedPrompt warmed = warm(prompts.get(i));
                done.set(i, warmed);
                told.accept(warmed);
            } catch (IOException e) {
                over = "the replica cannot be reached";
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.error("warm prompt '{}' could not be sent", prompts.get(i).name(), e);
                done.set(
                        i,
                        WarmedPrompt.skipped(prompts.get(i).name(), "the router stumbled over it; its log says more"));
            }
        }
    }

    private WarmedPrompt warm(WarmPrompt prompt) throws IOException, InterruptedException {
        try {
            return warmer.warm(prompt);
        } catch (HttpTimeoutException e) {
            return WarmedPrompt.skipped(prompt.name(), "the replica did not answer in time");
        } catch (AnswerTooLarge e) {
            return WarmedPrompt.skipped(prompt.name(), e.getMessage());
        }
    }
}

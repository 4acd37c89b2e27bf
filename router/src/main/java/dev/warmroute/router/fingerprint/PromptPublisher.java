package dev.warmroute.router.fingerprint;

import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptEvents;
import dev.warmroute.router.prompt.PromptHasher;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.prompt.PromptMemory;
import dev.warmroute.router.prompt.PromptText;
import dev.warmroute.router.publish.EventSink;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/**
 * Publishes {@code prompt.blocks.v1} for every routed request, on a thread of its own with a bounded queue: when it cannot
 * keep up, prompts are dropped and counted, never waited for.
 */
public final class PromptPublisher implements PromptListener, AutoCloseable {
    /** Bytes in a block when prompts are chained as text: about 16 tokens. */
    public static final int TEXT_BLOCK = 64;

    private static final int QUEUE = 1_024;
    private static final long MAX_HASHES = 8_000_000;

    private final BlockingQueue<Request> queue = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicLong dropped = new AtomicLong();
    private final EventSink sink;
    private final boolean exact;
    private final ToIntFunction<String> blockSize;
    private final PromptHasher hasher;
    private final PromptEvents events;
    private final TokenizerClient tokenizer = new TokenizerClient();
    private final Thread worker;
    private volatile boolean open = true;

    /**
     * @param exact whether text is tokenized by the replica; otherwise its bytes are chained
     * @param blockSize tokens in a block of a replica's cache, by replica id
     */
    public PromptPublisher(EventSink sink, byte[] salt, String saltId, boolean exact, ToIntFunction<String> blockSize) {
        this.sink = sink;
        this.exact = exact;
        this.blockSize = blockSize;
        this.hasher = new PromptHasher(salt);
        this.events = new PromptEvents(new PromptMemory(MAX_HASHES), saltId);
        this.worker = Thread.ofPlatform().daemon().name("warmroute-prompts").start(this::work);
    }

    @Override
    public void prompt(Request request) {
        if (!queue.offer(request)) {
            dropped.incrementAndGet();
        }
    }

    /** Prompts that were not told because the queue was full or the replica's tokenizer did not answer. */
    public long dropped() {
        return dropped.get();
    }

    private void work() {
        try {
            while (open || !queue.isEmpty()) {
                Request request = queue.poll(100, TimeUnit.MILLISECONDS);
                if (request != null) {
                    publish(request);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish(Request request) throws InterruptedException {
        Optional<PromptText.Content> content = PromptText.of(request.body());
        if (content.isEmpty()) {
            return;
        }
        Optional<PromptChain> chain = chain(request, content.get());
        if (chain.isEmpty()) {
            dropped.incrementAndGet();
            return;
        }
        PromptEvents.Draft draft = events.event(request.requestId(), request.session(), chain.get());
        sink.publish(draft::numbered);
    }

    private Optional<PromptChain> chain(Request request, PromptText.Content content) throws InterruptedException {
        return switch (content) {
            case PromptText.Tokens tokens -> Optional.of(tokenChain(request, tokens.ids()));
            case PromptText.Text text -> exact
                    ? tokenizer.tokens(request.replicaUrl(), request.body()).map(ids -> tokenChain(request, ids))
                    : Optional.of(hasher.bytes(text.bytes(), TEXT_BLOCK));
        };
    }

    private PromptChain tokenChain(Request request, int[] ids) {
        return hasher.tokens(ids, blockSize.applyAsInt(request.replica()));
    }

    /** Publishes what is queued, for at most five seconds. */
    @Override
    public void close() {
        open = false;
        try {
            worker.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        worker.interrupt();
    }
}

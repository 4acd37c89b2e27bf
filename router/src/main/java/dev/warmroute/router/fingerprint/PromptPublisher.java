package dev.warmroute.router.fingerprint;

import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptChain.Unit;
import dev.warmroute.router.prompt.PromptEvents;
import dev.warmroute.router.prompt.PromptHasher;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.prompt.PromptMemory;
import dev.warmroute.router.prompt.PromptText;
import dev.warmroute.router.prompt.PromptTotals;
import dev.warmroute.router.publish.EventSink;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes {@code prompt.blocks.v1} for every routed request, on a thread of its own with a queue bounded in requests and
 * bytes: when it cannot keep up, prompts are dropped and counted, never waited for. It works in rounds and takes a quarter of a
 * processor at most, since the data path may need the rest. A few replicas' tokenizers are asked at a time, and the events
 * follow in the order of the requests.
 */
public final class PromptPublisher implements PromptListener, AutoCloseable {
    /** Bytes in a block when prompts are chained as text: about 16 tokens. */
    public static final int TEXT_BLOCK = 64;

    private static final Logger LOG = LoggerFactory.getLogger(PromptPublisher.class);
    private static final int QUEUE = 1_024;
    private static final long QUEUE_BYTES = 16L << 20;
    private static final int ASKED_AT_ONCE = 8;
    private static final long MAX_HASHES = 8_000_000;
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A round is this many times as long as the processor time that it takes. */
    private static final int SHARE = 4;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final BlockingQueue<Request> queue = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicLong queuedBytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong inTokens = new AtomicLong();
    private final AtomicLong inBytes = new AtomicLong();
    private final EventSink sink;
    private final boolean exact;
    private final Replicas replicas;
    private final PromptHasher hasher;
    private final PromptEvents events;
    private final TokenizerClient tokenizer = new TokenizerClient();
    private final Thread worker;
    private volatile boolean open = true;

    /**
     * What is known of replicas, by their id.
     *
     * @param blockSize tokens in a block of its cache
     * @param authorization value of the Authorization field that it wants, if any
     */
    public record Replicas(ToIntFunction<String> blockSize, Function<String, Optional<String>> authorization) {}

    /** @param exact whether text is tokenized by the replica; otherwise its bytes are chained */
    public PromptPublisher(EventSink sink, byte[] salt, String saltId, boolean exact, Replicas replicas) {
        this.sink = sink;
        this.exact = exact;
        this.replicas = replicas;
        this.hasher = new PromptHasher(salt);
        this.events = new PromptEvents(new PromptMemory(MAX_HASHES), saltId);
        this.worker = Thread.ofPlatform().daemon().name("warmroute-prompts").start(this::work);
    }

    @Override
    public boolean wanted() {
        boolean room = queue.remainingCapacity() > 0 && queuedBytes.get() < QUEUE_BYTES;
        if (!room) {
            dropped.incrementAndGet();
        }
        return room;
    }

    @Override
    public void prompt(Request request) {
        long bytes = request.body().length;
        if (queuedBytes.addAndGet(bytes) > QUEUE_BYTES || !queue.offer(request)) {
            queuedBytes.addAndGet(-bytes);
            dropped.incrementAndGet();
        }
    }

    @Override
    public PromptTotals totals() {
        return new PromptTotals(inTokens.get(), inBytes.get(), dropped.get(), tokenizer.unanswered());
    }

    /** A prompt whose tokens have been asked for, where it is not known already. */
    private record Begun(Request request, PromptText.Content content, CompletableFuture<Optional<long[]>> tokens) {}

    private void work() {
        ArrayDeque<Optional<Begun>> begun = new ArrayDeque<>();
        while (!Thread.currentThread().isInterrupted() && (open || !queue.isEmpty() || !begun.isEmpty())) {
            long spent = round(begun, open ? ROUND_NANOS / SHARE : Long.MAX_VALUE);
            if (open) {
                LockSupport.parkNanos(this, Math.max(ROUND_NANOS, spent * SHARE) - spent);
            }
        }
    }

    /** Goes on until everything is told or so much processor time is spent; returns how much was. */
    private long round(ArrayDeque<Optional<Begun>> begun, long budget) {
        long from = THREADS.getCurrentThreadCpuTime();
        long spent = 0;
        while (spent < budget && !Thread.currentThread().isInterrupted()) {
            Request next = queue.poll();
            if (next != null) {
                begun.add(begin(next));
            } else if (begun.isEmpty()) {
                break;
            }
            if (next == null || begun.size() == ASKED_AT_ONCE) {
                begun.poll().ifPresent(this::publish);
            }
            spent = THREADS.getCurrentThreadCpuTime() - from;
        }
        return spent;
    }

    private Optional<Begun> begin(Request request) {
        try {
            return PromptText.of(request.body()).map(content -> new Begun(request, content, tokens(request, content)));
        } catch (RuntimeException e) {
            LOG.error("a prompt could not be read", e);
            return Optional.empty();
        } finally {
            queuedBytes.addAndGet(-request.body().length);
        }
    }

    private CompletableFuture<Optional<long[]>> tokens(Request request, PromptText.Content content) {
        return switch (content) {
            case PromptText.Tokens tokens -> CompletableFuture.completedFuture(Optional.of(tokens.ids()));
            case PromptText.Text text ->
                (exact ? Question.about(request.path(), request.body()) : Optional.<Question>empty())
                        .map(q -> tokenizer.tokens(
                                request.replicaUrl(),
                                replicas.authorization().apply(request.replica()),
                                q,
                                request.body()))
                        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
        };
    }

    private void publish(Begun prompt) {
        try {
            PromptChain chain = chain(prompt);
            (chain.unit() == Unit.TOKENS ? inTokens : inBytes).incrementAndGet();
            PromptEvents.Draft draft =
                    events.event(prompt.request().requestId(), prompt.request().session(), chain);
            sink.publish(draft::numbered);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | RuntimeException e) {
            LOG.error("a prompt could not be told", e);
        }
    }

    /** In the engine's own blocks where the tokens are known, else in blocks of text. */
    private PromptChain chain(Begun prompt) throws InterruptedException, ExecutionException {
        Optional<long[]> ids = prompt.tokens().get();
        String cacheSalt = prompt.content().cacheSalt();
        if (ids.isPresent()) {
            int blockSize = replicas.blockSize().applyAsInt(prompt.request().replica());
            return hasher.tokens(ids.get(), blockSize, cacheSalt);
        }
        return switch (prompt.content()) {
            case PromptText.Text text -> hasher.bytes(text.bytes(), TEXT_BLOCK, cacheSalt);
            case PromptText.Tokens tokens -> throw new IllegalStateException("token ids are known");
        };
    }

    /** Publishes what is queued, for at most five seconds. */
    @Override
    public void close() {
        open = false;
        LockSupport.unpark(worker);
        try {
            worker.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        worker.interrupt();
    }
}

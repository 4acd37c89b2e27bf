package dev.warmroute.simulator.replica;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One generation and the client that waits for it. The engine's thread says that there is more; what is written is worked out
 * on the connection's own event loop from the number of tokens so far. A client that reads slowly, or an event loop that is
 * behind, gets several tokens in one event, as from vLLM; nothing is queued for it.
 */
final class Exchange implements Generation.Listener {
    private final Context context;
    private final HttpServerResponse response;
    private final Api api;
    private final AnswerFormat format;
    private final ReplicaOptions options;
    private final String version;
    private final EngineLoop engine;
    private final Runnable done;
    private final Generation generation;
    private final AtomicBoolean wakeup = new AtomicBoolean();

    // The event loop's own.
    private int sent;
    private boolean closed;

    /**
     * @param version engine version as answered
     * @param arrivedNanos {@link System#nanoTime} of the request's arrival
     * @param done run once when the exchange is over, however it ended
     */
    Exchange(
            Context context,
            HttpServerResponse response,
            Api api,
            GenerationRequest request,
            ReplicaOptions options,
            String version,
            EngineLoop engine,
            long arrivedNanos,
            Runnable done) {
        this.context = context;
        this.response = response;
        this.api = api;
        this.format = api.newFormat();
        this.options = options;
        this.version = version;
        this.engine = engine;
        this.done = done;
        this.generation = new Generation(request, options.blockSize(), this, arrivedNanos);
    }

    /**
     * Hands the request to the engine. A streamed answer's head goes out at once, as vLLM's does: it says that the request
     * was accepted, not that there is a token.
     *
     * @throws ApiError if the engine refuses it
     */
    void start() {
        engine.submit(generation);
        response.closeHandler(gone -> clientGone());
        response.exceptionHandler(gone -> clientGone());
        if (response.closed()) {
            clientGone();
        } else if (generation.request().stream()) {
            response.putHeader("content-type", "text/event-stream; charset=utf-8")
                    .setChunked(true);
            response.writeHead();
        }
    }

    @Override
    public void progressed() {
        boolean needed = generation.request().stream() || isLast(generation.produced());
        if (needed && wakeup.compareAndSet(false, true)) {
            context.runOnContext(run -> write());
        }
    }

    @Override
    public void failed(ApiError error) {
        context.runOnContext(run -> {
            if (!over()) {
                if (response.headWritten()) {
                    response.reset();
                } else {
                    Replies.error(response, error, api.anthropic());
                }
            }
        });
    }

    private boolean isLast(int produced) {
        return produced == generation.request().answerTokens();
    }

    private void write() {
        wakeup.set(false);
        int produced = generation.produced();
        if (closed || produced == sent) {
            return;
        }
        Answer answer = new Answer(
                generation.request(),
                options.servedModelName(),
                version,
                generation.outputStart(),
                generation.cachedTokens(),
                options.blockSize());
        if (!generation.request().stream()) {
            over();
            Replies.json(response, 200, format.whole(answer));
            return;
        }
        if (response.writeQueueFull()) {
            response.drainHandler(room -> write());
            return;
        }
        if (sent == 0) {
            format.opening(answer, this::event);
        }
        format.delta(answer, sent, produced, this::event);
        sent = produced;
        if (isLast(produced)) {
            over();
            format.closing(answer, this::event);
            response.end();
        }
    }

    private void event(String event) {
        response.write(Buffer.buffer(event));
    }

    private void clientGone() {
        if (!over()) {
            engine.abort(generation);
        }
    }

    /** Ends the exchange; true if it had ended before. */
    private boolean over() {
        boolean before = closed;
        closed = true;
        if (!before) {
            done.run();
        }
        return before;
    }
}

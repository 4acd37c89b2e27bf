package dev.warmroute.router.proxy;

import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.proxy.ModelRoute.Routed;
import dev.warmroute.router.proxy.http.AnswerBody;
import dev.warmroute.router.proxy.http.AnswerHead;
import dev.warmroute.router.proxy.http.BadAnswer;
import dev.warmroute.router.proxy.http.RequestHead;
import dev.warmroute.router.proxy.usage.Usage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request from its last byte to the end of its answer: decides, sends, passes the answer on, and ends exactly once, with
 * the place given back and the completion told. Used on one event loop only.
 */
final class Exchange implements AnswerBody.Content {
    /** A kept connection that fails later than this did not fail because it was stale, and the replica may have worked. */
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_ATTEMPTS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final Loop loop;
    private final ClientConnection client;
    private final RequestHead head;
    private final ModelRoute route;
    /** Nothing, when the request is passed on without being routed or told. */
    private final Optional<Told> told;

    private final Dialect dialect;
    private final Optional<Replica> pinned;

    private ByteBuf body;
    private int attempts;
    /** The decision whose place is taken; nothing when none is. */
    private Optional<Routed> placed = Optional.empty();

    private Replica replica;
    private UpstreamConnection upstream;
    private boolean sent;
    private long sentAt;
    private boolean keptConnection;
    private AnswerForClient answer;
    private long firstByteAt = Told.End.NEVER;
    private boolean flushDue;
    private boolean ended;
    /** When the exchange ends unless bytes arrive, on the router's clock; {@link Told.End#NEVER} while it may take its time. */
    private long deadline = Told.End.NEVER;
    private long within;
    private String otherwise = "";
    private boolean timed;

    /** @param body the request's body, owned by this exchange from now on */
    Exchange(
            Loop loop,
            ClientConnection client,
            RequestHead head,
            ByteBuf body,
            ModelRoute route,
            Optional<Told> told,
            Dialect dialect,
            Optional<Replica> pinned) {
        this.loop = loop;
        this.client = client;
        this.head = head;
        this.body = body;
        this.route = route;
        this.told = told;
        this.dialect = dialect;
        this.pinned = pinned;
    }

    void begin() {
        if (told.isPresent()) {
            loop.shared().totals().acceptedRequest();
        }
        try {
            attempt(Optional.empty());
        } catch (RuntimeException e) {
            LOG.error("no decision could be taken about a request", e);
            fail(EndedBy.ROUTER, 500, "the router could not decide where to send the request");
        }
    }

    boolean answerBegun() {
        return answer != null;
    }

    /** @param failed replica that failed this request already */
    private void attempt(Optional<Replica> failed) {
        if (told.isPresent()) {
            routedAttempt(told.get());
            return;
        }
        attempts++;
        route.anyUp(loop.now(), failed).ifPresentOrElse(this::send, this::nobody);
    }

    private void routedAttempt(Told request) {
        int attempt = ++attempts;
        Optional<Routed> failed = placed; // its place is given back by the next decision
        placed = Optional.empty();
        PromptChain prompt = route.readsPrompts() ? loop.fingerprint(body) : PromptChain.NOTHING;
        Routed routed = route.route(
                request.routing(prompt),
                prompt,
                failed,
                failed.isPresent() ? Optional.empty() : pinned,
                r -> loop.shared().events().publish(router -> request.decision(r, attempt, router)));
        if (routed.replica().isEmpty()) {
            nobody();
            return;
        }
        placed = Optional.of(routed);
        Replica to = routed.replica().get();
        to.totals().decided(routed.decision().placement().kind());
        send(to);
    }

    private void nobody() {
        fail(EndedBy.ROUTER, dialect.overloaded(), "no replica of model '" + route.name() + "' can take the request now");
    }

    private void send(Replica to) {
        replica = to;
        UpstreamConnection kept = loop.idleConnection(to);
        if (kept != null) {
            kept.serve(this);
            upstream = kept;
            keptConnection = true;
            write();
        } else {
            sendOnNewConnection();
        }
    }

    private void sendOnNewConnection() {
        keptConnection = false;
        sent = false;
        upstream = new UpstreamConnection(loop, replica, this);
        upstream.open();
    }

    void connected(UpstreamConnection connection) {
        loop.shared().observer().succeeded(replica);
        write();
    }

    void connectFailed(Throwable cause) {
        upstream = null;
        loop.shared().observer().failed(replica, "connect_failed");
        if (attempts < MAX_ATTEMPTS && pinned.isEmpty() && route.seats().size() > 1) {
            loop.shared().totals().retried();
            attempt(Optional.of(replica));
        } else {
            fail(EndedBy.REPLICA, dialect.overloaded(), "replica " + replica.id() + " cannot be reached");
        }
    }

    private void write() {
        sent = true;
        sentAt = loop.now();
        RequestWriter.write(upstream.channel(), head, replica, body);
        expectWithin(loop.shared().limits().firstByte().toNanos(), "did not begin to answer in time");
        tellPrompt();
    }

    private void tellPrompt() {
        PromptListener prompts = loop.shared().prompts();
        if (told.isPresent() && Paths.hasPrompt(head.path()) && body.isReadable() && prompts.wanted()) {
            Told t = told.get();
            prompts.prompt(new PromptListener.Request(
                    t.requestId(),
                    t.session(),
                    t.model(),
                    head.path(),
                    replica.id(),
                    replica.config().url().toString(),
                    ByteBufUtil.getBytes(body)));
        }
    }

    /** Ends the exchange when nothing arrives for so long; 0 waits for ever. */
    private void expectWithin(long nanos, String orElse) {
        within = nanos;
        otherwise = orElse;
        deadline = nanos > 0 ? loop.now() + nanos : Told.End.NEVER;
        if (nanos > 0 && !timed) {
            timed = true;
            loop.executor().schedule(this::lookAtTheTime, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** One timer serves the whole exchange: bytes only move the deadline. */
    private void lookAtTheTime() {
        timed = false;
        if (ended || deadline == Told.End.NEVER) {
            return;
        }
        if (upstream != null && upstream.readingPaused()) {
            deadline = loop.now() + within; // it is the client who is slow
        }
        long left = deadline - loop.now();
        if (left <= 0) {
            fail(EndedBy.REPLICA, 504, "replica " + replica.id() + " " + otherwise);
        } else {
            timed = true;
            loop.executor().schedule(this::lookAtTheTime, left, TimeUnit.NANOSECONDS);
        }
    }

    /** Bytes of the answer; owned by this call. */
    void answer(UpstreamConnection connection, ByteBuf piece) {
        try {
            passOn(connection, piece);
        } catch (BadAnswer e) {
            fail(EndedBy.REPLICA, 502, "replica " + replica.id() + " sent " + e.getMessage());
        } finally {
            piece.release();
        }
    }

    private void passOn(UpstreamConnection connection, ByteBuf piece) throws BadAnswer {
        while (answer == null && piece.isReadable()) {
            int start = piece.readerIndex();
            boolean whole = !connection.heads().begun();
            Optional<AnswerHead> next = connection.heads().take(piece, head.method().equals("HEAD"));
            if (next.isEmpty()) {
                return;
            }
            if (next.get().interim()) {
                interim(next.get());
                continue;
            }
            beginAnswer(connection, next.get());
            if (!answer.writeHead(client)) {
                if (whole) {
                    piece.readerIndex(start);
                } else {
                    client.write(client.buffer(next.get().bytes()));
                }
            }
            follow(connection, piece, whole && answer.headUntouched() ? next.get().bytes().length : 0);
            return;
        }
        if (piece.isReadable()) {
            follow(connection, piece, 0);
        }
    }

    private void interim(AnswerHead interim) throws BadAnswer {
        if (interim.status() == 101) {
            throw interim.unexpected();
        }
        if (interim.status() != 100 && !head.http10()) {
            client.write(client.buffer(interim.bytes()));
            flushDue = true;
        }
    }

    private void beginAnswer(UpstreamConnection connection, AnswerHead next) {
        answer = new AnswerForClient(next, head, loop.draining());
        connection.body().begin(next);
        connection.tap().begin(next);
        replica.answered(loop.now());
        loop.shared().observer().succeeded(replica);
        dropBody();
    }

    /** Passes on what belongs to this answer; the first {@code headLength} bytes are its head. */
    private void follow(UpstreamConnection connection, ByteBuf piece, int headLength) throws BadAnswer {
        int start = piece.readerIndex();
        piece.skipBytes(headLength);
        int end = connection.body().follow(piece, this);
        if (!answer.dechunked()) {
            client.write(piece.retainedSlice(start, end - start));
        }
        flushDue = true;
        if (connection.body().ended()) {
            finish(end == piece.writerIndex() && answer.replicaKeepsAlive());
        } else {
            if (!client.writable()) {
                connection.pauseReading();
            }
            expectWithin(loop.shared().limits().idle().toNanos(), "stopped in the middle of its answer");
        }
    }

    @Override
    public void content(ByteBuf piece, int index, int length) {
        if (firstByteAt == Told.End.NEVER) {
            firstByteAt = loop.now();
            placed.ifPresent(route::answering);
        }
        answer.sawContent(piece, index, length);
        upstream.tap().content(piece, index, length);
        if (answer.dechunked()) {
            client.write(piece.retainedSlice(index, length));
        }
    }

    /** The replica has sent what it had for now. */
    void answerPaused() {
        if (flushDue) {
            flushDue = false;
            client.flush();
        }
    }

    void clientWritable() {
        if (upstream != null && sent) {
            upstream.resumeReading();
        }
    }

    private void finish(boolean reusable) {
        client.flush(); // the client does not wait for the bookkeeping
        if (ended) {
            return;
        }
        Usage usage = upstream.tap().usage();
        UpstreamConnection done = upstream;
        upstream = null;
        replica.totals().finished(usage);
        end(EndedBy.FINISHED, answer.status(), "", usage);
        done.served(reusable);
        client.answered(answer.clientKeepsAlive());
    }

    /** The replica closed the connection, or it broke. */
    void upstreamClosed(UpstreamConnection connection, Throwable cause) {
        upstream = connection;
        if (answer != null && connection.body().endsWithConnection() && cause == null) {
            finish(false);
        } else if (!sent) {
            connectFailed(cause);
        } else if (answer == null && keptConnection && !connection.heads().begun() && loop.now() - sentAt < STALE_NANOS) {
            loop.shared().totals().retried();
            sendOnNewConnection();
        } else {
            String when = answer == null ? "before it answered" : "in the middle of its answer";
            fail(EndedBy.REPLICA, 502, "replica " + replica.id() + " closed the connection " + when);
        }
    }

    /** The client left; whatever is going on for it stops. */
    void clientGone() {
        if (!ended) {
            Usage usage = answer == null ? Usage.UNKNOWN : upstream.tap().usage();
            if (replica != null) {
                replica.totals().abandoned(usage);
            }
            end(EndedBy.CLIENT, answer == null ? 0 : answer.status(), "the client left", usage);
            dropUpstream();
        }
    }

    /** The router is going down. */
    void abandon() {
        if (!ended) {
            fail(EndedBy.ROUTER, dialect.overloaded(), "the router is stopping");
        }
    }

    /** Ends with an error: as an answer where none has begun, as an event inside a stream, or by cutting the connection. */
    private void fail(EndedBy by, int status, String message) {
        if (ended) {
            return;
        }
        Usage usage = answer == null ? Usage.UNKNOWN : upstream.tap().usage();
        if (by == EndedBy.REPLICA) {
            replica.totals().failed(usage);
        }
        boolean clean = answer != null && upstream.body().betweenChunks();
        end(by, answer == null ? status : answer.status(), message, usage);
        dropUpstream();
        if (answer == null) {
            client.refuse(dialect, status, message, head);
        } else {
            client.breakOff(answer.lastWords(client, dialect, status, message, clean));
        }
    }

    private void dropUpstream() {
        if (upstream != null) {
            upstream.abort();
            upstream = null;
        }
    }

    private void end(EndedBy by, int status, String error, Usage usage) {
        ended = true;
        expectWithin(0, "");
        dropBody();
        if (told.isPresent()) {
            Told t = told.get();
            String to = replica == null || by == EndedBy.ROUTER && answer == null ? "" : replica.id();
            Told.End end = new Told.End(to, status, error, by, firstByteAt, loop.now(), usage, attempts);
            loop.shared().totals().ended(by);
            giveBack(usage, () -> loop.shared().events().publish(router -> t.completed(end, router)));
        }
    }

    /** Gives the place back, if one is taken, and tells. */
    private void giveBack(Usage usage, Runnable tell) {
        Optional<Routed> from = placed;
        placed = Optional.empty();
        from.ifPresentOrElse(r -> route.release(r, usage.completion(), tell), tell);
    }

    private void dropBody() {
        if (body != null) {
            body.release();
            body = null;
        }
    }
}

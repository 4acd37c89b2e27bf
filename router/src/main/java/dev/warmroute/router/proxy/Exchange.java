package dev.warmroute.router.proxy;

import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.proxy.http.AnswerBody;
import dev.warmroute.router.proxy.http.AnswerHead;
import dev.warmroute.router.proxy.http.BadAnswer;
import dev.warmroute.router.proxy.http.RequestHead;
import dev.warmroute.router.proxy.usage.Usage;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request from its last byte to the end of its answer: decides, sends, passes the answer on, and ends exactly once, with
 * the place given back and the completion told. Used on one event loop only.
 */
final class Exchange implements AnswerBody.Content, Deadline.Waiting {
    /** A kept connection that fails later than this did not fail because it was stale, and the replica may have worked. */
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_ATTEMPTS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final Loop loop;
    private final ClientConnection client;
    private final RequestHead head;
    private final ModelRoute route;
    /** Nothing, when the request is passed on without being routed or told. */
    private final Optional<RoutedRequest> routed;

    private final Dialect dialect;
    private final Optional<Replica> pinned;

    private ByteBuf body;
    private int attempts;

    private Replica replica;
    private UpstreamConnection upstream;
    private boolean sent;
    private long sentAt;
    private boolean keptConnection;
    private AnswerForClient answer;
    private long firstByteAt = Told.End.NEVER;
    private boolean flushDue;
    private boolean ended;
    private final Deadline deadline;
    /** Whether the answer will name a response that the replica keeps, and has not yet. */
    private boolean namesResponse;

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
        this.routed = told.map(t -> new RoutedRequest(loop, route, t, pinned));
        this.dialect = dialect;
        this.pinned = pinned;
        this.deadline = new Deadline(loop.executor(), loop::now, this);
        this.namesResponse = told.isPresent() && head.path().equals(Paths.RESPONSES);
    }

    void begin() {
        PacedIoHandler.begins();
        if (routed.isPresent()) {
            loop.shared().totals().acceptedRequest();
        }
        try {
            attempt(Optional.empty());
        } catch (RuntimeException e) {
            LOG.error("no decision could be taken about a request", e);
            fail(EndedBy.ROUTER, 500, "the router could not decide where to send the request");
        }
    }

    /** Whether the replica has begun to answer. */
    boolean answerBegun() {
        return answer != null;
    }

    /** @param failed replica that failed this request already */
    private void attempt(Optional<Replica> failed) {
        attempts++;
        deadline.over(); // the request may be held now, and then no replica is late with it or charged for it
        replica = null;
        routed.ifPresentOrElse(
                r -> r.attempt(body, this::sendTo, this::tooManyWait),
                () -> sendTo(pinned.or(() -> route.anyUp(loop.now(), failed))));
    }

    private void sendTo(Optional<Replica> to) {
        to.ifPresentOrElse(this::send, this::nobody);
    }

    private void tooManyWait() {
        fail(
                EndedBy.ROUTER,
                dialect.overloaded(),
                "too many requests of model '" + route.name() + "' wait for a place");
    }

    private void nobody() {
        fail(
                EndedBy.ROUTER,
                dialect.overloaded(),
                "no replica of model '" + route.name() + "' can take the request now");
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
        if (loop.shared().sockets().tooManyForAReplica(loop.now()) || !upstream.open()) {
            upstream = null;
            fail(EndedBy.ROUTER, dialect.overloaded(), OpenSockets.FULL);
        }
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
        deadline.within(loop.shared().limits().firstByte().toNanos(), "did not begin to answer in time");
        routed.ifPresent(r -> r.sent(head.path(), replica, body));
    }

    @Override
    public boolean clientIsSlow() {
        return upstream != null && upstream.readingPaused();
    }

    @Override
    public void missed(String what) {
        fail(EndedBy.REPLICA, 504, "replica " + replica.id() + " " + what);
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
            Optional<AnswerHead> next =
                    connection.heads().take(piece, head.method().equals("HEAD"));
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
            follow(
                    connection,
                    piece,
                    whole && answer.headUntouched() ? next.get().bytes().length : 0);
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
            deadline.within(loop.shared().limits().idle().toNanos(), "stopped in the middle of its answer");
        }
    }

    @Override
    public void content(ByteBuf piece, int index, int length) {
        if (firstByteAt == Told.End.NEVER) {
            firstByteAt = loop.now();
            routed.ifPresent(RoutedRequest::answering);
        }
        answer.sawContent(piece, index, length);
        upstream.tap().content(piece, index, length);
        if (namesResponse) {
            rememberResponse();
        }
        if (answer.dechunked()) {
            client.write(piece.retainedSlice(index, length));
        }
    }

    /** At once, since the client may ask about it while it is still being made. */
    private void rememberResponse() {
        String id = upstream.tap().id();
        if (!id.isEmpty()) {
            namesResponse = false;
            loop.shared().responses().remember(id, replica);
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
        } else if (answer == null
                && keptConnection
                && !connection.heads().begun()
                && loop.now() - sentAt < STALE_NANOS) {
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
        PacedIoHandler.ends();
        deadline.over();
        dropBody();
        String to = replica == null || by == EndedBy.ROUTER && answer == null ? "" : replica.id();
        routed.ifPresent(r -> r.ended(new Told.End(to, status, error, by, firstByteAt, loop.now(), usage, attempts)));
    }

    private void dropBody() {
        if (body != null) {
            body.release();
            body = null;
        }
    }
}

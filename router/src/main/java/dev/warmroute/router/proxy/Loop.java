package dev.warmroute.router.proxy;

import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What belongs to one event loop: its clients, and its idle connections to each replica. Used on that loop only. */
final class Loop {
    /** uvicorn closes idle connections after 5 s; one that it may be closing right now is not worth the risk. */
    static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long SWEEP_MILLIS = 500;

    private final EventLoop executor;
    private final Shared shared;
    private final Transport transport;
    private final Map<Replica, ArrayDeque<UpstreamConnection>> idle = new IdentityHashMap<>();
    private final Set<ClientConnection> clients = new LinkedHashSet<>();
    private final PromptReader prompts;
    private boolean draining;
    /** Done when the loop drains and nothing is being read or answered any more. */
    private final Promise<Void> drained;

    Loop(EventLoop executor, Shared shared, Transport transport) {
        this.executor = executor;
        this.shared = shared;
        this.transport = transport;
        this.prompts = new PromptReader(shared.salt().secret());
        this.drained = executor.newPromise();
        executor.scheduleAtFixedRate(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    Shared shared() {
        return shared;
    }

    EventLoop executor() {
        return executor;
    }

    long now() {
        return shared.clock().nanos();
    }

    /** What a body says, for policies that decide by it. */
    PromptChain fingerprint(ByteBuf body) {
        return shared.fingerprints() ? prompts.read(ByteBufUtil.getBytes(body)) : PromptChain.NOTHING;
    }

    boolean draining() {
        return draining;
    }

    void add(ClientConnection client) {
        clients.add(client);
    }

    void remove(ClientConnection client) {
        clients.remove(client);
        tellWhenDrained();
    }

    /** The idle connection to a replica that was used last, or null. */
    UpstreamConnection idleConnection(Replica replica) {
        ArrayDeque<UpstreamConnection> connections = idle.get(replica);
        if (connections == null) {
            return null;
        }
        long now = now();
        UpstreamConnection c;
        while ((c = connections.pollLast()) != null) {
            if (c.usable(now)) {
                return c;
            }
            c.close();
        }
        return null;
    }

    void nowIdle(UpstreamConnection connection) {
        if (draining || connection.replica().removed()) {
            connection.close();
        } else {
            idle.computeIfAbsent(connection.replica(), r -> new ArrayDeque<>()).addLast(connection);
        }
    }

    void noLongerIdle(UpstreamConnection connection) {
        ArrayDeque<UpstreamConnection> connections = idle.get(connection.replica());
        if (connections != null) {
            connections.remove(connection);
        }
    }

    /** Lets go of the idle connections to a replica that was removed. */
    void forget(Replica replica) {
        ArrayDeque<UpstreamConnection> connections = idle.remove(replica);
        if (connections != null) {
            connections.forEach(UpstreamConnection::close);
        }
    }

    /** Begins to connect. */
    ChannelFuture connect(Replica replica, UpstreamConnection connection) {
        return transport
                .client(executor, shared.limits().connect())
                .handler(connection.initializer(transport))
                .connect(replica.address());
    }

    private void sweep() {
        long now = now();
        for (ArrayDeque<UpstreamConnection> connections : idle.values()) {
            while (!connections.isEmpty() && !connections.peekFirst().usable(now)) {
                connections.pollFirst().close();
            }
        }
        for (ClientConnection client : List.copyOf(clients)) {
            client.checkPatience(now);
        }
    }

    /**
     * Stops keeping connections: idle clients are let go, the others after their answer.
     *
     * @return done when all answers have ended
     */
    Future<Void> drain() {
        executor.execute(() -> {
            draining = true;
            idle.values().forEach(connections -> List.copyOf(connections).forEach(UpstreamConnection::close));
            List.copyOf(clients).forEach(ClientConnection::closeIfIdle);
            tellWhenDrained();
        });
        return drained;
    }

    private void tellWhenDrained() {
        if (draining && clients.stream().noneMatch(ClientConnection::busy)) {
            drained.trySuccess(null);
        }
    }

    /**
     * Ends everything that is still open.
     *
     * @return done when that has been done
     */
    Future<?> abandon() {
        return executor.submit(() -> List.copyOf(clients).forEach(ClientConnection::abandon));
    }
}

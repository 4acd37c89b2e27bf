package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.ModelChange;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.ControlEvent.PolicyChanged;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.proxy.PolicyHistory.InForce;
import dev.warmroute.router.session.SessionResolver;
import dev.warmroute.router.state.HomesListener;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The proxy as a running server. */
public final class ProxyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);

    private final Shared shared;
    private final HealthChecks health;
    private final Transport transport;
    private final EventLoopGroup group;
    private final Map<EventLoop, Loop> loops = new IdentityHashMap<>();
    private final Optional<SslContext> tls;
    private Channel listener;
    private Consumer<Membership> membershipListener = m -> {};

    /** Builds a server that does not listen yet. */
    public ProxyServer(RouterConfig config, RouterServices services) {
        this(config, services, Transport.best());
    }

    ProxyServer(RouterConfig config, RouterServices services, Transport transport) {
        Models models = new Models(config.models(), services, config.limits());
        StoredResponses responses = new StoredResponses();
        shared = new Shared(
                models,
                services.salt(),
                new SessionResolver(config.sessionHeaders(), services.salt()),
                services.events(),
                services.prompts(),
                services.clock(),
                config.limits(),
                config.fingerprint() != RouterConfig.Fingerprint.OFF,
                new RequestIds(),
                new ProxyTotals(),
                new OpenSockets(
                        services.maxSockets() > 0 ? services.maxSockets() : OpenSockets.leftByTheSystem(),
                        services.clock().nanos()),
                new ReplicaObserver(services.events(), services.clock()),
                responses,
                new ResponseFinder(models, responses));
        shared.sockets()
                .tooFewFor(models.places(), models.mayHold() ? config.limits().maxHeld() : 0)
                .ifPresent(LOG::warn);
        health = new HealthChecks(shared);
        tls = config.tls().map(ProxyServer::serverTls);
        this.transport = transport;
        int threads = services.eventLoops();
        group = transport.loops(threads > 0 ? threads : Runtime.getRuntime().availableProcessors());
        for (EventExecutor executor : group) {
            EventLoop loop = (EventLoop) executor;
            loops.put(loop, new Loop(loop, shared, transport));
        }
    }

    private static SslContext serverTls(RouterConfig.Tls tls) {
        try {
            return SslContextBuilder.forServer(tls.cert().toFile(), tls.key().toFile())
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new UserError("tls: certificate and key cannot be used: " + e.getMessage(), e);
        }
    }

    /** Begins to listen and to watch the replicas. */
    public void listen(Address address) {
        // Under TLS a client's end is the connection's.
        ChannelFuture bound = transport
                .server(group, transport.epoll() && tls.isEmpty())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel ch) {
                        Loop loop = loops.get(ch.eventLoop());
                        tls.ifPresent(t -> ch.pipeline().addLast(t.newHandler(ch.alloc())));
                        ch.pipeline().addLast(new ClientConnection(loop, new Reception(loop)));
                    }
                })
                .bind(new InetSocketAddress(address.host(), address.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new UserError(
                    "cannot listen at " + address + ": " + bound.cause().getMessage()
                            + "; choose another address for 'listen'",
                    bound.cause());
        }
        listener = bound.channel();
        health.start();
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** What is going on, for status and metrics. */
    public ProxyStatus status() {
        return new ProxyStatus(shared.models().all(), shared.totals(), shared.clock());
    }

    /**
     * Forgets the conversations at home on a replica whose engine was started again, and the responses it held; returns how
     * many conversations there were.
     */
    public int forgetHomes(String replica) {
        return forget(replica, true);
    }

    /** Forgets the conversations at home on a replica whose cache was emptied; returns how many there were. */
    public int cacheCleared(String replica) {
        return forget(replica, false);
    }

    private int forget(String replica, boolean responsesToo) {
        for (ModelRoute route : shared.models().all()) {
            for (Seat seat : route.seats()) {
                if (seat.replica().id().equals(replica)) {
                    if (responsesToo) {
                        shared.responses().forget(seat.replica());
                    }
                    return route.forget(seat.replica());
                }
            }
        }
        return 0;
    }

    /** Hears of homes that others wrote, or this router before it was started again. */
    public HomesListener homes() {
        return new HomesListener() {
            @Override
            public void read(Home home, long offset) {
                shared.models().named(home.model()).ifPresent(route -> route.withHomes(h -> h.read(home, offset)));
            }

            @Override
            public void restored() {
                shared.models().all().forEach(route -> route.withHomes(KeptHomes::restored));
            }

            @Override
            public void sweep() {
                shared.models().all().forEach(route -> route.withHomes(KeptHomes::sweep));
            }
        };
    }

    /** Which replicas serve which model. */
    public Membership membership() {
        return shared.models().membership();
    }

    /**
     * Changes which replicas serve which model, in one step. A replica that comes is chosen once it has passed a health
     * check; one that goes ends what it is answering; one that is drained ends that and is given no new conversation.
     *
     * @param change from the present membership to the next; may refuse with a {@link UserError}, and then nothing happens
     * @return the membership from now on
     */
    public synchronized Membership change(UnaryOperator<Membership> change) {
        Membership next = change.apply(membership());
        Models.Change changed = shared.models().change(next);
        health.watchMembers();
        for (Replica replica : changed.removed()) {
            loops.values().forEach(loop -> loop.executor().execute(() -> loop.forget(replica)));
            shared.observer().removed(replica);
        }
        changed.drainChanged().forEach(shared.observer()::drainChanged);
        membershipListener.accept(next);
        return next;
    }

    /**
     * Changes a model's policy or affinity, from its next request on.
     *
     * @return whether anything differs from what was in force
     * @throws UserError if there is no such model, the change is not one that can be made (a {@link
     *     dev.warmroute.router.config.ConfigError}) or was meant for something else than is in force; then nothing happens
     */
    public boolean change(String model, ModelChange change) {
        long at = shared.clock().epochMicros(shared.clock().nanos());
        return route(model)
                .change(
                        change.inForce(),
                        config -> change.applyTo(config, shared.fingerprints()),
                        change.checkHash(),
                        (left, now) -> publishChanged(at, model, left, now, change.by()));
    }

    private void publishChanged(long at, String model, InForce left, InForce now, String by) {
        shared.events()
                .publish(router ->
                        new PolicyChanged(at, model, left.policy(), now.policy(), by, now.checkHash(), router));
    }

    /**
     * The policy that would decide after a change; nothing is changed.
     *
     * @throws UserError if the change could not be made
     */
    public PolicyIdentity policyAfter(String model, ModelChange change) {
        return route(model).policyAfter(change.inForce(), config -> change.applyTo(config, shared.fingerprints()));
    }

    /**
     * Takes back the last change of what decides for a model, from its next request on.
     *
     * @param inForce what is to be left, as {@link ProxyStatus.ModelStatus#inForce} names it: the same again is not another one
     * @throws UserError if there is no such model, something else is in force, or no change could be taken back
     */
    public void rollBack(String model, String inForce) {
        long at = shared.clock().epochMicros(shared.clock().nanos());
        if (!route(model)
                .rollBack(inForce, (left, now) -> publishChanged(at, model, left, now, ModelChange.BY_ROLLBACK))) {
            throw new UserError(
                    "there is nothing to take back for model '" + model + "': its policy has not been changed since"
                            + " the router was started, or every change was taken back");
        }
    }

    private ModelRoute route(String model) {
        return shared.models()
                .named(model)
                .orElseThrow(() -> new UserError("there is no model '" + model + "'; models: "
                        + String.join(", ", shared.models().names())));
    }

    /** Calls a listener with the present membership now, and with every one to come on the thread that changes it. */
    public synchronized void onMembership(Consumer<Membership> listener) {
        membershipListener = listener;
        listener.accept(membership());
    }

    /** Has a listener hear of replicas that come and go; to be called before {@link #listen}. */
    public void onReplicas(ReplicaListener listener) {
        shared.observer().listener(listener);
    }

    /**
     * The replica that a model's policy would choose now for a new conversation whose prompt begins so; empty when the policy
     * does not read prompts, or would choose none. Nothing is remembered of the question.
     */
    public Optional<String> wouldPlace(String model, PromptChain prompt) {
        return shared.models()
                .named(model)
                .flatMap(route -> route.wouldPlace(prompt))
                .map(Replica::id);
    }

    /** Tells a model's policy that a prompt is in a replica's cache although no request brought it there. */
    public void cached(String model, String replica, PromptChain prompt) {
        shared.models().named(model).ifPresent(route -> route.cached(replica, prompt));
    }

    /**
     * Stops: no new connections, a while for running requests to end, then the end for all.
     *
     * @param grace how long running requests may go on
     */
    public void stop(Duration grace) {
        health.close();
        shared.finder().close();
        if (listener != null) {
            listener.close().awaitUninterruptibly();
        }
        List<Future<Void>> drained = loops.values().stream().map(Loop::drain).toList();
        long deadline = System.nanoTime() + grace.toNanos();
        drained.forEach(d -> d.awaitUninterruptibly(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        loops.values().stream().map(Loop::abandon).toList().forEach(Future::awaitUninterruptibly);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    /** Names of the models served. */
    public List<String> models() {
        return shared.models().names();
    }
}

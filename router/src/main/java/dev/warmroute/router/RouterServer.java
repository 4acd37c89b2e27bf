package dev.warmroute.router;

import dev.warmroute.router.admin.AdminServer;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.ControlEvent.ModelSetup;
import dev.warmroute.router.event.ControlEvent.RouterStarted;
import dev.warmroute.router.event.ControlEvent.RouterStopped;
import dev.warmroute.router.proxy.ProxyServer;
import dev.warmroute.router.proxy.ProxyStatus;
import dev.warmroute.router.proxy.ProxyStatus.ModelStatus;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.warm.WarmSource;
import dev.warmroute.router.warm.Warmer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The live router: the proxy, its warm prompts and its admin side, from start to stop. What it is given ({@link RouterServices}) it does not close. */
public final class RouterServer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final RouterServices services;
    private final ProxyServer proxy;
    private final Warmer warmer;
    private final AdminServer admin;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private RouterServer(RouterServices services, ProxyServer proxy, Warmer warmer, AdminServer admin) {
        this.services = services;
        this.proxy = proxy;
        this.warmer = warmer;
        this.admin = admin;
    }

    /** Starts a router; when this returns, it answers. */
    public static RouterServer start(RouterConfig config, RouterServices services) {
        return start(config, WarmSource.of(config.warmPrompts()), services);
    }

    /**
     * Starts a router; when this returns, it answers.
     *
     * @param warmPrompts what was read of the warm prompts that are configured
     */
    public static RouterServer start(RouterConfig config, WarmSource warmPrompts, RouterServices services) {
        ProxyServer proxy = new ProxyServer(config, services);
        Warmer warmer = new Warmer(warmPrompts, services, proxy);
        try {
            publishStarted(config, services, proxy.status());
            services.homes().feed(proxy.homes());
            proxy.listen(config.listen());
            AdminServer admin = AdminServer.start(config.admin(), proxy, warmer, services, version());
            return new RouterServer(services, proxy, warmer, admin);
        } catch (RuntimeException e) {
            warmer.close();
            proxy.close();
            throw e;
        }
    }

    private static void publishStarted(RouterConfig config, RouterServices services, ProxyStatus status) {
        List<ModelSetup> models = status.models().stream()
                .map(m -> new ModelSetup(m.name(), maxNumSeqs(config, m), m.policy(), ids(m)))
                .toList();
        long at = services.clock().epochMicros(services.clock().nanos());
        services.events()
                .publish(router ->
                        new RouterStarted(at, version(), services.salt().id(), models, router));
    }

    private static int maxNumSeqs(RouterConfig config, ModelStatus model) {
        return config.models().stream()
                .filter(m -> m.name().equals(model.name()))
                .findFirst()
                .orElseThrow()
                .maxNumSeqs();
    }

    private static List<String> ids(ModelStatus model) {
        return model.replicas().stream().map(ReplicaRow::id).toList();
    }

    /** Version of this build; {@code development} when it does not run from a jar. */
    private static String version() {
        String version = RouterServer.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Port that clients connect to. */
    public int port() {
        return proxy.port();
    }

    /** Port of status, health and metrics. */
    public int adminPort() {
        return admin.port();
    }

    public ProxyStatus status() {
        return proxy.status();
    }

    /**
     * Forgets the conversations at home on a replica whose engine was started again, since its cache is empty, and has it
     * warmed.
     *
     * @return how many conversations there were
     */
    public int engineRestarted(String replica) {
        int homes = proxy.forgetHomes(replica);
        warmer.restarted(replica);
        return homes;
    }

    /** How it stands with the warm prompts. */
    public Warmer warmer() {
        return warmer;
    }

    /** Which replicas serve which model. */
    public Membership membership() {
        return proxy.membership();
    }

    /**
     * Adds, removes or drains replicas while requests run, in one step; see {@link ProxyServer#change}. For example
     * {@code change(m -> m.draining("r1", Duration.ofMinutes(3)))}.
     *
     * @param change refuses what is wrong with a {@link UserError}, and then nothing happens
     */
    public Membership change(UnaryOperator<Membership> change) {
        return proxy.change(change);
    }

    /** Calls a listener with the present membership and every one to come: whoever watches the replicas too follows it. */
    public void onMembership(Consumer<Membership> listener) {
        proxy.onMembership(listener);
    }

    /** Stops within about ten seconds: no new requests, running ones may end, then the connections are cut. */
    @Override
    public void close() {
        close("closed", GRACE);
    }

    /**
     * Stops.
     *
     * @param reason stands in {@code router.stopped}
     * @param grace how long running requests may go on
     */
    public void close(String reason, Duration grace) {
        close(reason, grace, () -> {});
    }

    /**
     * Stops.
     *
     * @param reason stands in {@code router.stopped}
     * @param grace how long running requests may go on
     * @param lastWords ends whatever else publishes, so that {@code router.stopped} is the last event
     */
    public void close(String reason, Duration grace, Runnable lastWords) {
        if (open.compareAndSet(true, false)) {
            warmer.close();
            proxy.stop(grace);
            admin.close();
            lastWords.run();
            long at = services.clock().epochMicros(services.clock().nanos());
            services.events().publish(router -> new RouterStopped(at, reason, router.sequence() + 1, router));
        }
    }
}

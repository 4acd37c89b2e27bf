package dev.warmroute.simulator.load;

import dev.warmroute.router.UserError;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Closed-loop agent sessions against an OpenAI-compatible endpoint; see {@link AgentLoadOptions}. */
public final class AgentLoad {
    private AgentLoad() {}

    /** Runs a load to its end; see {@link #run(AgentLoadOptions, Consumer)}. */
    public static AgentLoadResult run(AgentLoadOptions options) {
        return run(options, outcome -> {});
    }

    /**
     * Runs a load to its end: no turn is started after {@code seconds} of model time, and what is under way then is waited
     * for. Failed requests are part of the result, not errors.
     *
     * @param each hears every request when it has ended, on another thread; must not block
     * @throws UserError if the calling thread is interrupted
     */
    public static AgentLoadResult run(AgentLoadOptions options, Consumer<RequestOutcome> each) {
        Vertx vertx = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1).setInternalBlockingPoolSize(1));
        try {
            return new AgentRun(vertx, options, each).start().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("the load was interrupted before its end", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load failed", e.getCause());
        } finally {
            vertx.close();
        }
    }
}

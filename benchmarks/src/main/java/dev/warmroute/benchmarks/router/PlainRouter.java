package dev.warmroute.benchmarks.router;

import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.live.LiveRouter;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The router as it is, with events to the broker of its configuration: {@code PlainRouter router.yaml}. */
public final class PlainRouter {
    private PlainRouter() {}

    public static void main(String[] args) throws InterruptedException {
        LiveRouter router = LiveRouter.start(RouterConfig.read(Path.of(args[0])));
        System.out.println("router on port " + router.server().port());
        new CountDownLatch(1).await();
    }
}

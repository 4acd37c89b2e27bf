package dev.warmroute.benchmarks.router;

import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.config.SaltFile;
import dev.warmroute.router.publish.EventSink;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * The router without events, counters and prompts, to see what these cost: {@code SilentRouter router.yaml [EVENT_LOOPS]}, with
 * as many event loops as there are processors unless told otherwise.
 */
public final class SilentRouter {
    private SilentRouter() {}

    public static void main(String[] args) throws InterruptedException {
        RouterConfig config = RouterConfig.read(Path.of(args[0]));
        RouterServices services = RouterServices.of(EventSink.NONE, SaltFile.readOrCreate(config.saltFile()))
                .withEventLoops(args.length > 1 ? Integer.parseInt(args[1]) : 0);
        RouterServer server = RouterServer.start(config, services);
        System.out.println("router without events on port " + server.port());
        new CountDownLatch(1).await();
    }
}

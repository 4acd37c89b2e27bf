package dev.warmroute.benchmarks.router;

import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.publish.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;

/** A broker in a process of its own, with warmroute's topics: {@code Broker DIRECTORY}; prints its address. */
public final class Broker {
    private Broker() {}

    public static void main(String[] args) throws InterruptedException {
        EmbeddedBroker broker = EmbeddedBroker.start(Path.of(args[0]));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            Topics.createMissing(admin, "warmroute", 4, Duration.ofDays(1));
        }
        System.out.println(broker.bootstrap());
        new CountDownLatch(1).await();
    }
}

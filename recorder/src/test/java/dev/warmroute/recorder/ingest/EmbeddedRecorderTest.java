package dev.warmroute.recorder.ingest;

import dev.warmroute.router.broker.EmbeddedBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The recorder against the broker in this process. */
class EmbeddedRecorderTest extends RecorderContract {
    private static EmbeddedBroker broker;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.temporary();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Override
    String bootstrap() {
        return broker.bootstrap();
    }
}

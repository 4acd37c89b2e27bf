package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.warmroute.router.live.LiveRouter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class QuietStopTest {
    @TempDir
    Path directory;

    @Test
    void aRouterThatIsStoppedWhileAllIsWellWarnsOfNothing() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        try (Machine machine = new Machine(directory)) {
            listen(log, Level.WARN);
            try {
                for (int start = 0; start < 3; start++) {
                    try (LiveRouter router = machine.router("warden", 1000)) {
                        assertThat(Machine.drive(router, "run " + start).failures())
                                .isZero();
                    }
                }
            } finally {
                listen(log, Level.OFF);
            }
        }
        List<String> alarming = log.list.stream()
                .filter(e -> e.getLevel().isGreaterOrEqual(Level.WARN))
                .map(e -> e.getLoggerName() + ": " + e.getFormattedMessage())
                .toList();
        assertThat(alarming).isEmpty();
    }

    /** Hears what the router and its Kafka clients say from a level on; the tests' own configuration has them silent. */
    private static void listen(ListAppender<ILoggingEvent> log, Level from) {
        for (String name : List.of("dev.warmroute", "org.apache.kafka")) {
            Logger logger = (Logger) LoggerFactory.getLogger(name);
            logger.setLevel(from);
            if (from == Level.OFF) {
                logger.detachAppender(log);
            } else {
                logger.addAppender(log);
            }
        }
    }
}

package dev.warmroute.recorder.trace;

import dev.warmroute.router.event.Topic;
import java.util.Locale;

/** Names of the topics inside a trace. */
final class Topics {
    private Topics() {}

    /** Directory of a topic's segments, and its name in the manifest. */
    static String directory(Topic topic) {
        return topic.name().toLowerCase(Locale.ROOT);
    }

    static Topic named(String directory) {
        return Topic.valueOf(directory.toUpperCase(Locale.ROOT));
    }
}

package dev.warmroute.recorder.ingest;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.TextCache;
import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.Topic;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Kafka records as the trace keeps them. Not thread-safe: texts that repeat from record to record are made once. */
final class KafkaEvents {
    private static final byte[] NOTHING = {};

    private final TextCache types = new TextCache();
    private final TextCache sources = new TextCache();
    private final TextCache keys = new TextCache();
    private final TextCache salts = new TextCache();

    RecordedEvent event(Topic topic, ConsumerRecord<byte[], byte[]> record) {
        String id = "";
        String type = "";
        String source = "";
        String subject = "";
        String time = "";
        long sequence = -1;
        String salt = "";
        for (Header h : record.headers()) {
            switch (h.key()) {
                case "ce_id" -> id = text(h.value());
                case "ce_type" -> type = text(types, h.value());
                case "ce_source" -> source = text(sources, h.value());
                case "ce_subject" -> subject = text(h.value());
                case "ce_time" -> time = text(h.value());
                case "ce_sequence" -> sequence = number(h.value());
                case Envelope.SALT_ID -> salt = text(salts, h.value());
                default -> {
                    // constant in every event, or somebody else's
                }
            }
        }
        return new RecordedEvent(
                topic,
                record.partition(),
                record.offset(),
                record.timestamp(),
                text(keys, record.key()),
                id,
                type,
                source,
                subject,
                time,
                sequence,
                salt,
                record.value() == null ? NOTHING : record.value());
    }

    private static String text(TextCache cache, byte[] bytes) {
        return bytes == null ? "" : cache.text(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    private static long number(byte[] bytes) {
        try {
            return bytes == null ? -1 : Long.parseLong(text(bytes));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

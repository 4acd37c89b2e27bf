package dev.warmroute.router.publish;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's own stand-in for a producer, which here also refuses records at once, as the real one does with no metadata. */
final class ScriptedProducer extends MockProducer<byte[], byte[]> {
    /** Topics that it refuses. */
    final Set<String> refused = new HashSet<>();
    /** Records confirmed so far. */
    final List<ProducerRecord<byte[], byte[]>> confirmed = new ArrayList<>();

    ScriptedProducer(boolean autoComplete) {
        super(autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        if (refused.contains(record.topic())) {
            callback.onCompletion(
                    null, new TimeoutException("topic " + record.topic() + " not present in metadata after 0 ms"));
            return CompletableFuture.failedFuture(new TimeoutException());
        }
        return super.send(record, (metadata, failure) -> {
            if (failure == null) {
                confirmed.add(record);
            }
            callback.onCompletion(metadata, failure);
        });
    }

    static long sequence(ProducerRecord<byte[], byte[]> record) {
        return Long.parseLong(header(record, "ce_sequence"));
    }

    static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}

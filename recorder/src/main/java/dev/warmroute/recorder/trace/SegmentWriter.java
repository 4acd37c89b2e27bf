package dev.warmroute.recorder.trace;

import com.jerolba.carpet.CarpetWriter;
import com.jerolba.carpet.model.FieldType;
import com.jerolba.carpet.model.FieldTypes;
import com.jerolba.carpet.model.WriteRecordModelType;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap.Reason;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;

/**
 * Writes the events of one partition, in order of offset, into one Parquet file: the columns that every topic has, the
 * topic's {@link TopicColumns typed columns}, and the exact JSON. The file is no part of a trace until {@link TraceWriter}
 * has renamed and listed it. Not thread-safe.
 */
final class SegmentWriter {
    /** Name of the column with the exact JSON, the last one. */
    static final String DATA = "data";

    /** Small, so that a segment open for each of many partitions fits into a small heap. */
    private static final long ROW_GROUP_BYTES = 8 << 20;

    private static final int PAGE_BYTES = 1 << 20;

    /** On decisions, level 3 (the default) is slower and no smaller. */
    private static final int ZSTD_LEVEL = 1;

    private static final FieldType TEXT = FieldTypes.BINARY.asString();

    private final Topic topic;
    private final int partition;
    private final Path file;
    private final SegmentOutput output;
    private final CarpetWriter<PreparedEvent> parquet;
    private final SegmentFacts facts = new SegmentFacts();
    private final Map<String, Long> types = new TreeMap<>();
    private final Offsets offsets;
    private long firstOffset = -1;
    private long lastOffset = -1;
    private long firstTimeUs = Long.MAX_VALUE;
    private long lastTimeUs = Long.MIN_VALUE;
    private long rows;
    private long dataBytes;

    /**
     * Which offsets are asked for; those that are passed over are told as gaps.
     *
     * @param first offset that the first event should have; -1 when any will do
     * @param all whether every later one should be there too
     */
    record Offsets(long first, boolean all) {
        /** Events were left out on purpose, or the gaps are known. */
        static final Offsets ANY = new Offsets(-1, false);

        static Offsets from(long first) {
            return new Offsets(first, true);
        }
    }

    SegmentWriter(TraceFiles files, Path file, Topic topic, int partition, Offsets offsets) throws IOException {
        this.topic = topic;
        this.partition = partition;
        this.file = file;
        this.offsets = offsets;
        this.output = new SegmentOutput(file, files);
        this.parquet = new CarpetWriter.Builder<>(output, PreparedEvent.class)
                .withWriteRecordModel(model(TopicColumns.of(topic)))
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .config("parquet.compression.codec.zstd.level", Integer.toString(ZSTD_LEVEL))
                .withRowGroupSize(ROW_GROUP_BYTES)
                .withPageSize(PAGE_BYTES)
                .withDictionaryEncoding(DATA, false)
                .withDictionaryEncoding("ce_id", false)
                .withDictionaryEncoding("ce_subject", false)
                .withDictionaryEncoding("ce_time", false)
                .withDictionaryEncoding("offset", false)
                .withDictionaryEncoding("timestamp_ms", false)
                .withDictionaryEncoding("ce_sequence", false)
                .withDictionaryEncoding("arrival_us", false)
                .withDictionaryEncoding("decided_us", false)
                .withDictionaryEncoding("decision_ns", false)
                .withDictionaryEncoding("prompt_bytes", false)
                .withDictionaryEncoding("prompt_tokens", false)
                .withDictionaryEncoding("first_byte_us", false)
                .withDictionaryEncoding("last_byte_us", false)
                .withStatisticsEnabled(DATA, false)
                .withExtraMetaData(Map.of(
                        "warmroute.schema", Integer.toString(TraceManifest.SCHEMA_VERSION),
                        "warmroute.topic", Topics.directory(topic),
                        "warmroute.partition", Integer.toString(partition)))
                .build();
    }

    private static WriteRecordModelType<PreparedEvent> model(List<EventColumn> columns) {
        WriteRecordModelType<PreparedEvent> model = FieldTypes.writeRecordModel(PreparedEvent.class)
                .withField("topic", TEXT, r -> text(Topics.directory(r.event().topic())))
                .withField("partition", (PreparedEvent r) -> r.event().partition())
                .withField("offset", (PreparedEvent r) -> r.event().offset())
                .withField("timestamp_ms", (PreparedEvent r) -> r.event().timestampMs())
                .withField("key", TEXT, r -> text(r.event().key()))
                .withField("ce_id", TEXT, r -> text(r.event().id()))
                .withField("ce_type", TEXT, r -> text(r.event().type()))
                .withField("ce_source", TEXT, r -> text(r.event().source()))
                .withField("ce_subject", TEXT, r -> text(r.event().subject()))
                .withField("ce_time", TEXT, r -> text(r.event().time()))
                .withField("ce_sequence", (PreparedEvent r) -> r.event().sequence())
                .withField("ce_saltid", TEXT, r -> text(r.event().saltId()));
        for (int i = 0; i < columns.size(); i++) {
            int at = i;
            model = columns.get(i).type() == EventColumn.Type.TEXT
                    ? model.withField(
                            columns.get(i).name(),
                            TEXT,
                            r -> text((String) r.values().get(at)))
                    : model.withField(
                            columns.get(i).name(),
                            fieldType(columns.get(i).type()),
                            r -> r.values().get(at));
        }
        return model.withField(
                DATA,
                FieldTypes.BINARY,
                r -> Binary.fromConstantByteArray(r.event().data()));
    }

    /** A string's bytes: an array of them is hashed and copied faster than the buffer that Parquet would make of the string. */
    private static Binary text(String value) {
        return value == null ? null : Binary.fromConstantByteArray(value.getBytes(StandardCharsets.UTF_8));
    }

    private static FieldType fieldType(EventColumn.Type type) {
        return switch (type) {
            case LONG -> FieldTypes.LONG;
            case DOUBLE -> FieldTypes.DOUBLE;
            case TEXT -> TEXT;
            case FLAG -> FieldTypes.BOOLEAN;
        };
    }

    /** Appends an event of this partition; offsets must grow. */
    void write(PreparedEvent prepared) throws IOException {
        RecordedEvent event = prepared.event();
        if (event.topic() != topic || event.partition() != partition || event.offset() < nextOffset()) {
            throw new IllegalArgumentException(event.place() + " does not follow offset " + (nextOffset() - 1));
        }
        if (offsets.all() && nextOffset() >= 0 && event.offset() > nextOffset()) {
            facts.gap(new OffsetGap(Topics.directory(topic), partition, nextOffset(), event.offset() - 1, Reason.GONE));
        }
        parquet.write(prepared);
        facts.add(prepared);
        if (firstOffset < 0) {
            firstOffset = event.offset();
        }
        lastOffset = event.offset();
        firstTimeUs = Math.min(firstTimeUs, prepared.timeUs());
        lastTimeUs = Math.max(lastTimeUs, prepared.timeUs());
        rows++;
        dataBytes += event.data().length;
        types.merge(event.type(), 1L, Long::sum);
    }

    /** Offset that the next event should have; -1 when any will do. */
    private long nextOffset() {
        return lastOffset >= 0 ? lastOffset + 1 : offsets.first();
    }

    long rows() {
        return rows;
    }

    /** Bytes of JSON taken so far. */
    long dataBytes() {
        return dataBytes;
    }

    Path file() {
        return file;
    }

    SegmentFacts facts() {
        return facts;
    }

    /**
     * Writes the footer and brings the file to the disk.
     *
     * @param name under which the manifest will list it
     */
    Segment finish(String name) throws IOException {
        output.ends();
        parquet.close();
        return new Segment(
                name,
                Topics.directory(topic),
                partition,
                firstOffset,
                lastOffset,
                rows,
                output.bytes(),
                output.hash(),
                output.crc32c(),
                firstTimeUs,
                lastTimeUs,
                types);
    }

    /** Gives the file up; what it holds is at its source still. Its writing may have failed already. */
    void abandon() {
        try {
            parquet.close();
        } catch (IOException | RuntimeException e) {
            // nobody will read it
        }
        output.abandon();
    }
}

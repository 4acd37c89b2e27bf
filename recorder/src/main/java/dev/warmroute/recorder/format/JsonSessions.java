package dev.warmroute.recorder.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.ZipException;

/**
 * JSON objects that each hold a session with a list of requests: one object in a file, one a line, one after the other, or all
 * in one list; in one file or in those of a directory. Read one element of the list at a time, however long the list is.
 */
final class JsonSessions implements RowSource {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(1 << 28)
                            .build())
                    .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                    .build())
            .build();

    private final String listName;
    private final List<TraceFile> files;
    private final long size;
    private final LongAdder read = new LongAdder();
    private int nextFile;
    private Optional<JsonParser> parser = Optional.empty();
    private ObjectNode head = MAPPER.createObjectNode();
    private JsonNode element = MAPPER.createObjectNode();
    private boolean inList;
    private boolean listed;
    private long elements;

    /** @param listName field of a session that holds its list */
    JsonSessions(TraceFile file, String listName) {
        this.listName = listName;
        this.files = file.files(n -> n.endsWith(".json") || n.endsWith(".jsonl") || n.endsWith(".gz"));
        this.size = files.stream().mapToLong(TraceFile::size).sum();
    }

    /**
     * Moves to the next element of a session's list; false at the end of everything.
     *
     * @throws RowException at the end of a session that has no such list; the next call goes on behind it
     */
    boolean next() {
        try {
            while (true) {
                if (inList && parser.orElseThrow().nextToken() != JsonToken.END_ARRAY) {
                    elements++;
                    element = MAPPER.readTree(parser.get());
                    return true;
                }
                inList = false;
                if (!nextList()) {
                    return false;
                }
            }
        } catch (StreamReadException e) {
            throw new UserError(
                    place() + ": not JSON: " + e.getOriginalMessage().replaceAll("\\s+", " "), e);
        } catch (EOFException | ZipException e) {
            throw new UserError(
                    current().path() + " is cut off or damaged: its compressed data cannot be read on; copy it again",
                    e);
        } catch (IOException e) {
            throw new UserError(current().path() + " cannot be read on: " + e.getMessage(), e);
        }
    }

    /** Moves into the next session's list; false at the end of everything. */
    private boolean nextList() throws IOException {
        while (true) {
            if (parser.isEmpty() && !openNext()) {
                return false;
            }
            JsonToken token = parser.get().nextToken();
            if (token == null) {
                parser.get().close();
                parser = Optional.empty();
            } else if (token == JsonToken.START_OBJECT) {
                head = MAPPER.createObjectNode();
                listed = false;
                elements = 0;
            } else if (token == JsonToken.END_OBJECT && !listed) {
                throw head.has(listName)
                        ? JsonFields.wrong(listName, "a list", head.get(listName))
                        : new RowException(listName, "expected a list, found nothing");
            } else if (token == JsonToken.FIELD_NAME) {
                String name = parser.get().currentName();
                JsonToken value = parser.get().nextToken();
                if (name.equals(listName) && value == JsonToken.START_ARRAY) {
                    elements = 0;
                    inList = true;
                    listed = true;
                    return true;
                }
                head.set(name, MAPPER.readTree(parser.get()));
            } else if (token.isScalarValue()) {
                throw new UserError(place() + ": expected an object for each session, with its '" + listName + "'");
            }
        }
    }

    private boolean openNext() throws IOException {
        if (nextFile == files.size()) {
            return false;
        }
        parser = Optional.of(MAPPER.createParser(files.get(nextFile++).open(read)));
        parser.get().enable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
        return true;
    }

    private TraceFile current() {
        return files.get(Math.max(0, nextFile - 1));
    }

    /** Fields of the session that stand before its list. */
    JsonFields head() {
        return new JsonFields(head);
    }

    /** The element read last. */
    JsonFields element() {
        return new JsonFields(element);
    }

    /** Number of the element in its list, from 1. */
    long number() {
        return elements;
    }

    /** Where the element ends. */
    @Override
    public String place() {
        String line =
                parser.map(p -> " line " + p.currentLocation().getLineNr()).orElse("");
        return current().path() + line + (elements > 0 ? ", element " + elements + " of '" + listName + "'" : "");
    }

    @Override
    public double progress() {
        return size == 0 ? 1 : Math.min(1, (double) read.sum() / size);
    }

    @Override
    public void close() {
        try {
            if (parser.isPresent()) {
                parser.get().close();
            }
        } catch (IOException e) {
            throw new UserError(current().path() + " cannot be closed: " + e.getMessage(), e);
        }
    }
}

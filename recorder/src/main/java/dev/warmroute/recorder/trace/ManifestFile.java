package dev.warmroute.recorder.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;

/** A manifest in its file: with a hash of itself at the end, replaced in one step, refused when it is not what was written. */
final class ManifestFile {
    /** What stands before the hash that ends a manifest. */
    private static final String CHECK = ",\n  \"check\" : \"";

    private static final String END = "\n}";

    private static final ObjectWriter WRITER = EventCodec.mapper().writer().with(SerializationFeature.INDENT_OUTPUT);
    private static final ObjectReader READER =
            EventCodec.mapper().readerFor(TraceManifest.class).with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private ManifestFile() {}

    /** Writes the new manifest beside the old one, brings it to the disk, and renames it over the old one. */
    static void write(Path directory, TraceManifest manifest, TraceFiles files) throws IOException {
        Path unfinished = directory.resolve(TraceManifest.FILE + TraceDirectory.TEMPORARY);
        try (TraceFiles.NewFile out = files.create(unfinished)) {
            out.write(ByteBuffer.wrap(json(manifest)));
            out.force();
        }
        files.move(unfinished, directory.resolve(TraceManifest.FILE));
        files.force(directory);
    }

    /** As it stands in its file, with the hash at the end. */
    private static byte[] json(TraceManifest manifest) {
        try {
            String fields = WRITER.writeValueAsString(manifest);
            return (fields.substring(0, fields.length() - END.length()) + CHECK + hash(fields) + '"' + END + '\n')
                    .getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String hash(String fields) {
        return HexFormat.of().formatHex(SegmentOutput.sha256().digest(fields.getBytes(StandardCharsets.UTF_8)));
    }

    private static boolean checks(String json) {
        int at = json.lastIndexOf(CHECK);
        return at >= 0
                && json.equals(json.substring(0, at) + CHECK + hash(json.substring(0, at) + END) + '"' + END + '\n');
    }

    /**
     * Reads the manifest of a trace directory.
     *
     * @throws UserError if there is none, or it is not one that this warmroute understands
     */
    static TraceManifest read(Path directory) {
        Path file = directory.resolve(TraceManifest.FILE);
        try {
            String json = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            TraceManifest manifest = READER.readValue(json);
            if (manifest.schemaVersion() != TraceManifest.SCHEMA_VERSION) {
                throw new UserError(file + ": schema version " + manifest.schemaVersion()
                        + "; this warmroute reads version " + TraceManifest.SCHEMA_VERSION
                        + ", take the warmroute that wrote it (" + manifest.writtenBy() + ")");
            }
            if (!checks(json)) {
                throw new UserError(
                        file + " was changed or cut off: it is not what its own check says; take it from a copy of the"
                                + " trace");
            }
            return manifest;
        } catch (NoSuchFileException e) {
            throw new UserError(directory + " is not a trace directory: it has no " + TraceManifest.FILE, e);
        } catch (JsonProcessingException e) {
            throw new UserError(
                    file + " is damaged: " + e.getOriginalMessage().replaceAll("\\s+", " ")
                            + "; take it from a copy of the trace",
                    e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }
}

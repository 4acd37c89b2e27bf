package dev.warmroute.recorder.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Replaces a trace's manifest in one step. */
final class ManifestFile {
    private ManifestFile() {}

    /** Writes the new manifest beside the old one, brings it to the disk, and renames it over the old one. */
    static void write(Path directory, TraceManifest manifest, TraceFiles files) throws IOException {
        Path unfinished = directory.resolve(TraceManifest.FILE + TraceDirectory.TEMPORARY);
        try (TraceFiles.NewFile out = files.create(unfinished)) {
            out.write(ByteBuffer.wrap(manifest.json()));
            out.force();
        }
        files.move(unfinished, directory.resolve(TraceManifest.FILE));
        files.force(directory);
    }
}

package dev.warmroute.recorder.trace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * What a trace writer does to the disk. A trace survives a power cut because of the order of these calls: what is not forced
 * may be gone afterwards, in part or whole. Tests cut the power between any two of them.
 */
interface TraceFiles {
    /** A file being written front to back. */
    interface NewFile extends Closeable {
        /** Writes all bytes that remain. */
        void write(ByteBuffer bytes) throws IOException;

        /** Brings what was written to the disk. */
        void force() throws IOException;
    }

    /** Makes a file; one that is there already is emptied. */
    NewFile create(Path file) throws IOException;

    /** Renames a file in one step, replacing what had the name. */
    void move(Path from, Path to) throws IOException;

    /** Deletes a file that may be gone already. */
    void delete(Path file) throws IOException;

    /** Makes a directory whose parent is there, unless it is there itself. */
    void makeDirectory(Path directory) throws IOException;

    /** Brings a directory's entries to the disk: files made, renamed and deleted in it. */
    void force(Path directory) throws IOException;

    /** The real ones. */
    TraceFiles DISK = new TraceFiles() {
        @Override
        public NewFile create(Path file) throws IOException {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
            return new NewFile() {
                @Override
                public void write(ByteBuffer bytes) throws IOException {
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                }

                @Override
                public void force() throws IOException {
                    channel.force(true);
                }

                @Override
                public void close() throws IOException {
                    channel.close();
                }
            };
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void delete(Path file) throws IOException {
            Files.deleteIfExists(file);
        }

        @Override
        public void makeDirectory(Path directory) throws IOException {
            if (!Files.isDirectory(directory)) {
                Files.createDirectory(directory);
            }
        }

        @Override
        public void force(Path directory) throws IOException {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    };
}

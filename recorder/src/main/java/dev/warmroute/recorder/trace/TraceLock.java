package dev.warmroute.recorder.trace;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to write to a trace directory, held by one process at a time and gone with it. Where a process holds it itself
 * is remembered, and the file not touched again: closing a file lets go of all the locks that the process has on it.
 */
final class TraceLock implements AutoCloseable {
    static final String FILE = ".lock";
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private TraceLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Takes the lock of a directory, which is there.
     *
     * @throws UserError if somebody has it
     */
    static TraceLock take(Path directory) throws IOException {
        Path real = directory.toRealPath();
        if (!HELD_HERE.add(real)) {
            throw taken(directory);
        }
        boolean held = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw taken(directory);
            }
            held = true;
            return new TraceLock(real, channel);
        } finally {
            if (!held) {
                HELD_HERE.remove(real);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    /** Whether somebody writes to a directory now. */
    static boolean held(Path directory) {
        try {
            Path real = directory.toRealPath();
            if (HELD_HERE.contains(real)) {
                return true;
            }
            Path file = real.resolve(FILE);
            if (!Files.exists(file)) {
                return false;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                    FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                return shared == null;
            }
        } catch (IOException e) {
            return false; // a copy that may not be locked has no writer
        }
    }

    private static UserError taken(Path directory) {
        return new UserError("another recorder writes to " + directory + "; stop it, or record into another directory");
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD_HERE.remove(directory);
        }
    }
}

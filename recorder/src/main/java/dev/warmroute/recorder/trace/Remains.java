package dev.warmroute.recorder.trace;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What an attempt to make a trace leaves in its directory when it comes to no end: the lock, an unfinished manifest, and
 * directories of topics with the files that it names. Whatever else is there is somebody's and is never deleted.
 *
 * @param directory of the trace; it need not be there
 * @param topics names of the directories
 * @param segment whether a file in one of them is an attempt's, by its name
 */
record Remains(Path directory, Set<String> topics, Predicate<String> segment) {
    private static final Set<String> FILES = Set.of(TraceLock.FILE, TraceManifest.FILE + TraceDirectory.TEMPORARY);

    /**
     * Looks whether nothing else is in the directory.
     *
     * @throws UserError if there is
     */
    void requireNothingElse() throws IOException {
        for (Path entry : entries(directory)) {
            if (isTopic(entry)) {
                for (Path file : entries(entry)) {
                    require(isFile(file, segment), file);
                }
            } else {
                require(isFile(entry, FILES::contains), entry);
            }
        }
    }

    private void require(boolean ours, Path entry) {
        if (!ours) {
            throw new UserError(directory + " is not empty: it holds " + directory.relativize(entry)
                    + "; name a directory that is not there yet");
        }
    }

    /** Deletes what is there of it, but for the lock; a directory that holds something else stays. */
    void remove(TraceFiles files) throws IOException {
        for (Path entry : entries(directory)) {
            if (isTopic(entry)) {
                for (Path file : entries(entry)) {
                    if (isFile(file, segment)) {
                        files.delete(file);
                    }
                }
                if (entries(entry).isEmpty()) {
                    files.delete(entry);
                }
            } else if (isFile(entry, FILES::contains) && !name(entry).equals(TraceLock.FILE)) {
                files.delete(entry);
            }
        }
    }

    private boolean isTopic(Path entry) {
        return topics.contains(name(entry)) && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isFile(Path entry, Predicate<String> ours) {
        return ours.test(name(entry)) && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS);
    }

    private static String name(Path entry) {
        return entry.getFileName().toString();
    }

    private static List<Path> entries(Path of) throws IOException {
        if (!Files.isDirectory(of)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(of)) {
            return all.sorted().toList();
        }
    }
}

package dev.warmroute.recorder.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A disk that fails at one of the calls made to it: by refusing it, as a full disk does, or for good, as when the power goes.
 * After a power cut {@link #loseWhatWasNotForced} leaves on the disk what a file system promises, and no more.
 */
final class FailingDisk implements TraceFiles {
    private final long failAt;
    private final boolean forGood;
    private long calls;
    private final Map<Path, Written> unforced = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();

    private static final class Written {
        private long length;
        private long forced;
    }

    /** A directory's entry that has changed and may change back: the file's content before, if there was one. */
    private record Change(Path directory, Path file, Optional<byte[]> before, Optional<Path> movedFrom) {}

    /** @param failAt number of the call that fails, from 1; 0 for none */
    FailingDisk(long failAt, boolean forGood) {
        this.failAt = failAt;
        this.forGood = forGood;
    }

    long calls() {
        return calls;
    }

    private void call() throws IOException {
        calls++;
        if (failAt > 0 && (forGood ? calls >= failAt : calls == failAt)) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public NewFile create(Path file) throws IOException {
        call();
        changed(file, Optional.empty());
        NewFile real = DISK.create(file);
        Written written = new Written();
        unforced.put(file, written);
        return new NewFile() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                call();
                written.length += bytes.remaining();
                real.write(bytes);
            }

            @Override
            public void force() throws IOException {
                call();
                written.forced = written.length;
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        call();
        changed(to, Optional.of(from));
        DISK.move(from, to);
        Written written = unforced.remove(from);
        if (written != null) {
            unforced.put(to, written);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        call();
        changed(file, Optional.empty());
        DISK.delete(file);
        unforced.remove(file);
    }

    @Override
    public void makeDirectory(Path directory) throws IOException {
        call();
        DISK.makeDirectory(directory);
    }

    @Override
    public void force(Path directory) throws IOException {
        call();
        changes.removeIf(c -> c.directory.equals(directory));
    }

    private void changed(Path file, Optional<Path> movedFrom) throws IOException {
        Optional<byte[]> before = Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
        changes.add(new Change(file.getParent(), file, before, movedFrom));
    }

    /** Undoes some of the changes to directories that were not forced, and cuts off or blanks data that was not. */
    void loseWhatWasNotForced(SplittableRandom random) throws IOException {
        for (Map.Entry<Path, Written> w : unforced.entrySet()) {
            if (w.getValue().forced < w.getValue().length && Files.exists(w.getKey())) {
                damage(w.getKey(), (int) w.getValue().forced, random);
            }
        }
        Collections.reverse(changes);
        for (Change c : changes) {
            if (random.nextBoolean()) {
                undo(c);
            }
        }
    }

    private static void damage(Path file, int forced, SplittableRandom random) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int kept = forced + random.nextInt(bytes.length - forced + 1);
        byte[] left = new byte
                [random.nextBoolean() ? kept : bytes.length]; // cut off, or as long as before with zeros at the end
        System.arraycopy(bytes, 0, left, 0, kept);
        Files.write(file, left);
    }

    private static void undo(Change c) throws IOException {
        if (c.movedFrom.isPresent() && Files.exists(c.file)) {
            Files.write(c.movedFrom.get(), Files.readAllBytes(c.file));
        }
        if (c.before.isPresent()) {
            Files.write(c.file, c.before.get());
        } else {
            Files.deleteIfExists(c.file);
        }
    }
}

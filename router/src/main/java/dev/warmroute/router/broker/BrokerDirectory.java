package dev.warmroute.router.broker;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The directory that an embedded broker owns while it runs: the lock, the ports it last listened on
 * (so that its address stays the same over restarts) and Kafka's own files in {@code log}.
 */
final class BrokerDirectory implements AutoCloseable {
    /** Loopback ports of the broker and of its controller. */
    record Ports(int broker, int controller) {}

    private static final String PORTS_FILE = "ports.properties";

    private final Path directory;
    private final FileChannel lockFile;

    private BrokerDirectory(Path directory, FileChannel lockFile) {
        this.directory = directory;
        this.lockFile = lockFile;
    }

    /** Takes the directory, making it if need be, or refuses when another process or broker has it. */
    static BrokerDirectory lock(Path directory) {
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                channel.close();
                throw new UserError(
                        directory.toAbsolutePath()
                                + ": another router already runs its embedded broker here; stop it, or give this one another data_dir");
            }
            return new BrokerDirectory(directory, channel);
        } catch (IOException e) {
            throw new UserError(
                    directory.toAbsolutePath() + ": the embedded broker cannot write here (" + e
                            + "); give a data_dir that this user may write to",
                    e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    Path path() {
        return directory;
    }

    /** Kafka's log directory. */
    Path log() {
        return directory.resolve("log");
    }

    /** The ports of last time where they are still free, else others; remembered for the next time. */
    Ports ports() {
        Ports ports = remembered(directory)
                .filter(p -> free(p.broker()) && free(p.controller()))
                .orElseGet(BrokerDirectory::freePorts);
        remember(ports);
        return ports;
    }

    /** Other ports than the remembered ones, which turned out to be taken. */
    Ports otherPorts() {
        Ports ports = freePorts();
        remember(ports);
        return ports;
    }

    /** The ports that the broker of a directory last listened on. */
    static Optional<Ports> remembered(Path directory) {
        Path file = directory.resolve(PORTS_FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties saved = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            saved.load(in);
            return Optional.of(new Ports(
                    Integer.parseInt(saved.getProperty("broker")), Integer.parseInt(saved.getProperty("controller"))));
        } catch (IOException | NumberFormatException e) {
            throw new UserError(
                    file + ": expected broker=PORT and controller=PORT; delete the file to have ports chosen", e);
        }
    }

    private void remember(Ports ports) {
        Properties saved = new Properties();
        saved.setProperty("broker", Integer.toString(ports.broker()));
        saved.setProperty("controller", Integer.toString(ports.controller()));
        try (OutputStream out = Files.newOutputStream(directory.resolve(PORTS_FILE))) {
            saved.store(out, "where the embedded broker listens on 127.0.0.1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Two different ports; both sockets are open at once, so that they cannot be the same. */
    private static Ports freePorts() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket a = new ServerSocket(0, 1, loopback);
                ServerSocket b = new ServerSocket(0, 1, loopback)) {
            return new Ports(a.getLocalPort(), b.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes everything in the directory; the lock must still be held. */
    void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

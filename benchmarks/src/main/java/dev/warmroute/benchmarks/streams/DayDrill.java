package dev.warmroute.benchmarks.streams;

import dev.warmroute.benchmarks.router.Broker;
import dev.warmroute.benchmarks.streams.Watched.Figures;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * A day of agents' traffic through router and recorder, faster than it would pass: {@code DayDrill [SPEED [HOURS [SESSIONS
 * [PORT]]]]}, 24 hours at 144 times their speed with 32 sessions unless told otherwise. What the settings say in time is
 * divided by the speed: conversations are forgotten after half an hour, segments of topics end after an hour and are kept for
 * four, those of the trace end after five minutes and are kept for four hours. Every hour says what the two programs take, and
 * the end whether the last quarter took more than the one before it.
 */
public final class DayDrill {
    private static final int REPLICAS = 4;
    private static final double HOUR = 3_600;
    private static final double KEPT_HOURS = 4;
    /** What a quarter may take more than another without its being growth: collections and segments do not end on the hour. */
    private static final double SWAY = 1.25;

    private record Hour(Figures router, Figures recorder, long topics, long homes, long trace, long requests) {}

    private final double speed;
    private final Path broker;
    private final Path trace;
    private final RouterUnderTest router;
    private final Program recorder;

    private DayDrill(double speed, Path broker, Path trace, RouterUnderTest router, Program recorder) {
        this.speed = speed;
        this.broker = broker;
        this.trace = trace;
        this.router = router;
        this.recorder = recorder;
    }

    public static void main(String[] args) throws Exception {
        double speed = args.length > 0 ? Double.parseDouble(args[0]) : 144;
        int hours = args.length > 1 ? Integer.parseInt(args[1]) : 24;
        String sessions = args.length > 2 ? args[2] : "32";
        int port = args.length > 3 ? Integer.parseInt(args[3]) : 18_180;
        Path directory = Files.createTempDirectory("day-drill");
        Deque<AutoCloseable> started = new ArrayDeque<>();
        try {
            Path log = directory.resolve("broker");
            Program broker = started(
                    started, Program.java(directory.resolve("broker.log"), "512m", Broker.class, log.toString()));
            String bootstrap = broker.lineThatBegins("127.0.0.1");
            scale(bootstrap, speed);
            List<Integer> ports =
                    IntStream.range(0, REPLICAS).mapToObj(i -> port + 2 + i).toList();
            for (int replica : ports) {
                started(
                                started,
                                Program.warmroute(
                                        directory.resolve("replica-" + replica + ".log"),
                                        "-Xmx256m",
                                        "replica",
                                        "--port",
                                        Integer.toString(replica),
                                        "--served-model-name",
                                        "m",
                                        "--speed",
                                        Double.toString(speed)))
                        .lineThatBegins("stand-in");
            }
            int idle = (int) Math.max(1, HOUR / 2 / speed);
            RouterUnderTest router = new RouterUnderTest(
                    directory,
                    port,
                    "    policy: {name: sticky_least_sessions, idle_seconds: " + idle + "}\n",
                    bootstrap,
                    ports,
                    "-Xmx1g");
            started.push(router);
            Path trace = directory.resolve("trace");
            Program recorder = started(
                    started,
                    Program.warmroute(
                            directory.resolve("recorder.log"),
                            "-Xmx512m",
                            "record",
                            "--bootstrap",
                            bootstrap,
                            "--out",
                            trace.toString(),
                            "--roll",
                            millis(HOUR / 12, speed) + "ms",
                            "--keep",
                            millis(KEPT_HOURS * HOUR, speed) + "ms"));
            started(
                    started,
                    Program.warmroute(
                            directory.resolve("load.log"),
                            "-Xmx512m",
                            ("load agents --endpoint http://127.0.0.1:" + port + " --model m --sessions " + sessions
                                            + " --shared 1000 --first 300 --growth 150 --turns 12 --output 30 --gap 20"
                                            + " --seconds " + (hours + 1) * HOUR + " --speed " + speed)
                                    .split(" ")));
            new DayDrill(speed, log, trace, router, recorder).run(hours);
        } finally {
            while (!started.isEmpty()) {
                started.pop().close();
            }
        }
        System.out.println("logs: " + directory);
    }

    private static Program started(Deque<AutoCloseable> all, Program program) {
        all.push(program);
        return program;
    }

    private static long millis(double seconds, double speed) {
        return Math.round(seconds * 1_000 / speed);
    }

    /** Divides what the topics' settings say in time. */
    private static void scale(String bootstrap, double speed) throws Exception {
        String segment = Long.toString(millis(HOUR, speed));
        String kept = Long.toString(millis(KEPT_HOURS * HOUR, speed));
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
        for (Topic topic : Topic.values()) {
            List<AlterConfigOp> ops = new ArrayList<>(List.of(set("segment.ms", segment)));
            ops.add(set(topic.compacted() ? "delete.retention.ms" : "retention.ms", kept));
            changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic.name("warmroute")), ops);
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.incrementalAlterConfigs(changes).all().get();
        }
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    private void run(int hours) {
        System.out.printf("%d hours at %s times their speed, %d replicas%n%n", hours, speed, REPLICAS);
        System.out.println(
                "| hour | requests | router: live heap MiB | resident MiB | threads | files | recorder: live heap MiB |"
                        + " resident MiB | threads | files | topics MiB | homes KiB | trace MiB | its files |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        List<Hour> all = new ArrayList<>();
        long began = System.nanoTime();
        for (int hour = 1; hour <= hours; hour++) {
            Waiting.pause(millis(hour * HOUR, speed) - (System.nanoTime() - began) / 1_000_000);
            Hour now = hour();
            all.add(now);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %,d | %.1f | %.0f | %d | %d | %.1f | %.0f | %d | %d | %.1f | %.0f | %.1f | %d |%n",
                    hour,
                    now.requests,
                    now.router.liveBytes() / 1048576.0,
                    now.router.residentKib() / 1024.0,
                    now.router.threads(),
                    now.router.files(),
                    now.recorder.liveBytes() / 1048576.0,
                    now.recorder.residentKib() / 1024.0,
                    now.recorder.threads(),
                    now.recorder.files(),
                    now.topics / 1048576.0,
                    now.homes / 1024.0,
                    now.trace / 1048576.0,
                    files(trace));
        }
        conclude(all);
        System.out.println("the router's totals: " + router.status().path("totals") + ", events "
                + router.status().path("kafka").path("events"));
    }

    private Hour hour() {
        return new Hour(
                router.watched().figures(),
                recorder.watched().figures(),
                bytes(broker, "warmroute."),
                bytes(broker, "warmroute.homes"),
                bytes(trace, ""),
                router.status().path("totals").path("accepted").asLong());
    }

    /** By the third quarter everything that is kept for some hours is as long as it gets. */
    private static void conclude(List<Hour> all) {
        int quarter = all.size() / 4;
        List<Hour> third = all.subList(all.size() - 2 * quarter, all.size() - quarter);
        List<Hour> last = all.subList(all.size() - quarter, all.size());
        Map<String, ToDoubleFunction<Hour>> figures = new LinkedHashMap<>();
        figures.put("router's live heap", h -> h.router.liveBytes());
        figures.put("router's resident memory", h -> h.router.residentKib());
        figures.put("router's threads", h -> h.router.threads());
        figures.put("router's files", h -> h.router.files());
        figures.put("recorder's live heap", h -> h.recorder.liveBytes());
        figures.put("recorder's resident memory", h -> h.recorder.residentKib());
        figures.put("recorder's threads", h -> h.recorder.threads());
        figures.put("recorder's files", h -> h.recorder.files());
        figures.put("homes on the disk", h -> h.homes);
        figures.put("trace on the disk", h -> h.trace);
        System.out.println();
        figures.forEach((name, figure) -> {
            double before = third.stream().mapToDouble(figure).average().orElseThrow();
            double after = last.stream().mapToDouble(figure).average().orElseThrow();
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.2f times the third quarter in the last%s%n",
                    name,
                    after / before,
                    after > before * SWAY ? ": it grows" : "");
        });
    }

    private static long bytes(Path directory, String with) {
        return sum(directory, with, false);
    }

    private static long files(Path directory) {
        return sum(directory, "", true);
    }

    /** Of files in directories whose name begins so; index files of a broker are longer than what is in them. */
    private static long sum(Path directory, String with, boolean count) {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(f -> f.getParent().getFileName().toString().startsWith(with) || with.isEmpty())
                    .filter(f -> !f.toString().endsWith("index"))
                    .mapToLong(f -> count ? Files.isRegularFile(f) ? 1 : 0 : size(f))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (UncheckedIOException e) {
            return sum(directory, with, count); // a file that was deleted meanwhile
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.warmroute.benchmarks.recorder;

import dev.warmroute.recorder.ingest.RecordedRun;
import dev.warmroute.recorder.ingest.Recorder;
import dev.warmroute.recorder.ingest.RecorderOptions;
import dev.warmroute.recorder.ingest.Until;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.Objects;

/** Records what the topics hold: {@code Record BOOTSTRAP DIRECTORY}; prints the rate, every second's too, and the heap. */
public final class Record {
    private Record() {}

    public static void main(String[] args) {
        RecorderOptions options = RecorderOptions.of(args[0], "warmroute", Path.of(args[1]), "benchmark")
                .withUntil(Until.END);
        long[] tick = {0};
        long[] most = {0};
        RecordedRun run = new Recorder(options, p -> {
                    most[0] = Math.max(most[0], live());
                    if (tick[0]++ % 10 == 9) {
                        System.out.printf(
                                "         %,d events, %,.0f/s now, %s live%n",
                                p.events(), p.eventsPerSecond(), mebibytes(live()));
                    }
                })
                .run();
        long bytes =
                run.manifest().segments().stream().mapToLong(s -> s.bytes()).sum();
        double processor = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
        System.out.printf(
                "record   %,d events in %.1f s: %,.0f events/s, %,.0f MB/s of JSON; %,d bytes an event on the disk%n",
                run.events(),
                run.seconds(),
                run.events() / run.seconds(),
                run.dataBytes() / run.seconds() / 1e6,
                bytes / run.events());
        System.out.printf(
                "         %.1f s of processor time: %.1f us an event; at most %s live after a collection, heap %s%n",
                processor,
                processor * 1e6 / run.events(),
                mebibytes(most[0]),
                mebibytes(Runtime.getRuntime().maxMemory()));
    }

    /** What the heap held after the last collections, young and old. */
    private static long live() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(p -> p.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(u -> u.getUsed())
                .sum();
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}

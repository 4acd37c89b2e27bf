package dev.warmroute.benchmarks.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A JVM that is looked at from outside, on Linux. */
record Watched(long pid) {
    /**
     * What a process takes.
     *
     * @param liveBytes reachable on the heap, after a full collection
     * @param residentKib resident memory, after that collection
     * @param peakKib most resident memory so far
     */
    record Figures(long liveBytes, long residentKib, long peakKib, long threads, long files) {}

    Figures figures() {
        long live = liveBytes();
        return new Figures(live, status("VmRSS"), status("VmHWM"), status("Threads"), openFiles());
    }

    /** Bytes of all reachable objects by the histogram, for which the JVM collects first; what fills holes is none. */
    private long liveBytes() {
        long total = 0;
        long filling = 0;
        for (String line : jcmd("GC.class_histogram").split("\n")) {
            String[] columns = line.strip().split(" +");
            if (columns[0].equals("Total")) {
                total = Long.parseLong(columns[2]);
            } else if (line.contains("jdk.internal.vm.Filler")) {
                filling += Long.parseLong(columns[2]);
            }
        }
        if (total == 0) {
            throw new IllegalStateException("process " + pid + " tells nothing of its heap");
        }
        return total - filling;
    }

    private String jcmd(String command) {
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            command)
                    .redirectErrorStream(true)
                    .start();
            return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long status(String field) {
        try (Stream<String> lines = Files.lines(proc("status"))) {
            return lines.filter(l -> l.startsWith(field + ':'))
                    .mapToLong(l -> Long.parseLong(l.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long openFiles() {
        try (Stream<Path> files = Files.list(proc("fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many files it may have open. */
    long mayOpen() {
        try (Stream<String> lines = Files.lines(proc("limits"))) {
            return lines.filter(l -> l.startsWith("Max open files"))
                    .mapToLong(l -> Long.parseLong(l.substring(26).strip().split(" +")[0]))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processor time so far, in seconds. */
    double processorSeconds() {
        return ProcessHandle.of(pid)
                        .flatMap(p -> p.info().totalCpuDuration())
                        .orElseThrow()
                        .toNanos()
                / 1e9;
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }
}

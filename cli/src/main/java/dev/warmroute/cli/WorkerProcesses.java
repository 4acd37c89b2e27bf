package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Workers on this machine, each a process of its own with one thread; one that dies is replaced. */
final class WorkerProcesses implements AutoCloseable {
    private static final int MOST_REPLACED = 20;
    private static final long ENDING_SECONDS = 10;

    private final List<String> command;
    private final Consumer<String> said;
    private final Runnable givenUp;
    private final Map<Integer, Process> running = new HashMap<>();
    private int replaced;
    private boolean closing;

    /**
     * Starts them.
     *
     * @param said takes lines for a person
     * @param givenUp called when too many have died
     */
    WorkerProcesses(int number, String bootstrap, Consumer<String> said, Runnable givenUp) {
        if (number < 1) {
            throw new UserError("--workers must be at least 1, not " + number);
        }
        this.command = command(bootstrap);
        this.said = said;
        this.givenUp = givenUp;
        for (int w = 1; w <= number; w++) {
            start(w);
        }
    }

    /** This program again, on the same JVM with the same options. */
    private static List<String> command(String bootstrap) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "worker",
                "--bootstrap",
                bootstrap,
                "--threads",
                "1",
                WorkerCommand.WITH_PARENT));
        return command;
    }

    private synchronized void start(int number) {
        if (closing) {
            return;
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            running.put(number, process);
            said.accept("worker " + number + " is process " + process.pid());
            process.onExit().thenAccept(p -> ended(number, p));
        } catch (IOException e) {
            throw new UserError("a worker could not be started: " + e.getMessage(), e);
        }
    }

    private synchronized void ended(int number, Process process) {
        if (closing) {
            return;
        }
        if (++replaced > MOST_REPLACED) {
            said.accept("workers keep dying, the last one with exit code " + process.exitValue());
            closing = true;
            givenUp.run();
            return;
        }
        said.accept("worker " + number + " (process " + process.pid() + ") ended with exit code " + process.exitValue()
                + ": a new one takes its place");
        start(number);
    }

    /** Replaces none that dies from now on: Ctrl-C reaches them as well. */
    synchronized void ending() {
        closing = true;
    }

    @Override
    public void close() {
        List<Process> all;
        synchronized (this) {
            closing = true;
            all = List.copyOf(running.values());
        }
        all.forEach(Process::destroy);
        for (Process process : all) {
            try {
                if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
    }
}

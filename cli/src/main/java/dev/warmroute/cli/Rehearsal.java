package dev.warmroute.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Runs the analysing commands on a small made-up trace, so that the JVM may archive what they load and how they run: the
 * launcher calls it once for a build and a JDK. Its answers go nowhere.
 */
final class Rehearsal {
    private static final int ROWS = 3000;
    private static final int SESSIONS = 150;

    private Rehearsal() {}

    public static void main(String[] args) throws IOException {
        Path trace = Files.createTempFile("warmroute-rehearsal", ".jsonl");
        try {
            write(trace);
            String source = "mooncake:" + trace;
            run(
                    "whatif",
                    source,
                    "--open-loop",
                    "--policy",
                    "round_robin,warden",
                    "--block-size",
                    "16",
                    "--seeds",
                    "2",
                    "--json");
            run("whatif", source, "--open-loop", "--usable-blocks", "20000", "--seeds", "1");
            run("whatif", source, "--serial", "--block-size", "512", "--usable-blocks", "400", "--json");
            run("whatif", source, "--policy", "warden", "--usable-blocks", "20000", "--seeds", "1", "--json");
            run("whatif", "workload:lm-warden", "--seconds", "60", "--seeds", "1", "--json");
            run("capacity", source, "--block-size", "512", "--json");
        } finally {
            Files.delete(trace);
        }
    }

    private static void run(String... args) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        int code = Main.commandLine(nowhere, nowhere, args).execute(args);
        if (code != ExitCode.DONE) {
            throw new IllegalStateException(String.join(" ", args) + " ended with " + code);
        }
    }

    /** Conversations that grow by a few blocks a turn behind a common beginning, every tenth request without one. */
    private static void write(Path trace) throws IOException {
        Random random = new Random(1);
        int[] blocks = new int[SESSIONS];
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(trace))) {
            for (int row = 0; row < ROWS; row++) {
                int session = random.nextInt(SESSIONS);
                blocks[session] = Math.min(60, blocks[session] + 1 + random.nextInt(4));
                StringBuilder ids = new StringBuilder("0,1,2");
                for (int b = 0; b < blocks[session]; b++) {
                    ids.append(',').append(1000 * (session + 1) + b);
                }
                String who = row % 10 == 0 ? "" : ",\"session_id\":\"s" + session + "\",\"delay\":500";
                int tokens = 512 * (3 + blocks[session]) - random.nextInt(512);
                out.println("{\"timestamp\":" + row * 40 + ",\"input_length\":" + tokens + ",\"output_length\":"
                        + (20 + random.nextInt(200)) + ",\"hash_ids\":[" + ids + "]" + who + "}");
            }
        }
    }
}

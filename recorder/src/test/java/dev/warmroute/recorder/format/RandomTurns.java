package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.trace.TurnTraceWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Traces that have a bit of everything: sub-agents, shared prompts, unknown gaps, edits, measured figures, labels. */
final class RandomTurns {
    static final int REQUESTS = 40;

    private static final long MILLI = 1_000_000;

    private RandomTurns() {}

    /** Writes one into a trace directory. */
    static void write(int seed, Path directory) {
        Random random = new Random(seed);
        Histories histories = new Histories();
        Conversations conversations = new Conversations();
        long now = 0;
        try (TurnTraceWriter writer = TurnTraceWriter.create(directory, "test")) {
            for (int i = 0; i < REQUESTS; i++) {
                now += random.nextInt(3) * 250 * MILLI;
                String session = "s" + random.nextInt(4);
                String agent = random.nextInt(5) == 0 ? "a" + random.nextInt(2) : "";
                String key = agent.isEmpty() ? session : session + '/' + agent;
                Prompt before = histories.of(key);
                int kept = random.nextInt(6) == 0 ? random.nextInt(before.tokens() + 1) : before.tokens();
                Prompt.Builder prompt = Prompt.builder();
                if (before.tokens() == 0) {
                    prompt.span(7 << 20, 128); // what all share
                } else {
                    prompt.prefixOf(before, kept);
                }
                Prompt said = prompt.span((1L << 40) + ((long) i << 20), 1 + random.nextInt(900))
                        .build();
                int output = 1 + random.nextInt(300);
                histories.add(key, said, Turn.freshOutput(i), output);
                int turn = conversations.next(key);
                long duration = random.nextBoolean() ? random.nextInt(4000) * MILLI : Turn.UNKNOWN;
                long gap = turn > 1 && random.nextInt(4) > 0 ? random.nextInt(5000) * MILLI : Turn.UNKNOWN;
                conversations.add(key, turn, now, duration);
                writer.append(new Turn(
                        i,
                        now,
                        session,
                        agent,
                        turn,
                        gap,
                        said,
                        output,
                        Turn.freshOutput(i),
                        new Turn.Recorded(
                                random.nextInt(3),
                                random.nextBoolean() ? random.nextInt(said.tokens()) : Turn.UNKNOWN,
                                random.nextBoolean() ? random.nextInt(500) * MILLI : Turn.UNKNOWN,
                                duration),
                        new Turn.Labels(
                                "r" + i,
                                "",
                                "",
                                "model-" + random.nextInt(2),
                                random.nextBoolean() ? "s" : "n",
                                "stop")));
            }
            writer.complete(new Imported(
                    "recording",
                    "random",
                    "",
                    0,
                    true,
                    true,
                    true,
                    true,
                    REQUESTS,
                    0,
                    Prefixes.TOKENS.wireName(),
                    List.of()));
        }
    }
}

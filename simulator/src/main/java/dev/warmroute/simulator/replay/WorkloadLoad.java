package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Agent sessions in closed loops, made on demand. There are always as many sessions as the description says: session n of a
 * client is followed by another. Every turn resends the whole history: system prompt, first message, answers and what was
 * added since.
 *
 * <p>What a session says and how long it pauses depends on the seed and its number alone, so that it is the same under every
 * policy.
 */
public final class WorkloadLoad implements Load {
    private static final double SECOND = 1e9;
    /** Each session has so many tokens of its own; the shared system prompt lies below the first. */
    private static final long SESSION_SPACE = 1L << 32;

    private final WorkloadSpec spec;
    private final Seeds seeds;
    private int[] history = new int[64];
    private int[] answer = new int[64];

    public WorkloadLoad(WorkloadSpec spec, Seeds seeds) {
        this.spec = spec;
        this.seeds = seeds;
    }

    @Override
    public void begin(Sender sender) {
        for (int client = 0; client < spec.sessions(); client++) {
            double start = pause(Seeds.Purpose.START, client);
            send(client, 0, Math.round(start * SECOND), sender);
        }
    }

    @Override
    public void ended(int item, long at, Sender sender) {
        int session = item / spec.turns();
        int turn = item % spec.turns() + 1;
        if (turn < spec.turns()) {
            send(session, turn, at + Math.round(pause(Seeds.Purpose.GAP, item) * SECOND), sender);
        } else {
            sender.sessionEnded(session, at);
            int successor = Math.addExact(session, spec.sessions());
            double wait = exponential(seeds.stream(Seeds.Purpose.START, successor), spec.betweenSessionsS());
            send(successor, 0, at + Math.round(wait * SECOND), sender);
        }
    }

    @Override
    public long expected() {
        return -1;
    }

    private void send(int session, int turn, long at, Sender sender) {
        int item = Math.addExact(Math.multiplyExact(session, spec.turns()), turn);
        SplittableRandom lengths = seeds.stream(Seeds.Purpose.LENGTH, item);
        int client = session % spec.sessions();
        if (client >= history.length) {
            history = Arrays.copyOf(history, Math.max(client + 1, history.length * 2));
            answer = Arrays.copyOf(answer, history.length);
        }
        int said = turn == 0
                ? draw(spec.firstTokens(), lengths)
                : history[client] + answer[client] + draw(spec.turnTokens(), lengths);
        int output = draw(spec.outputTokens(), lengths);
        history[client] = said;
        answer[client] = output;
        long own = SESSION_SPACE * (session + 1L);
        Prompt prompt =
                Prompt.builder().span(0, spec.systemTokens()).span(own, said).build();
        Turn request = new Turn(
                item, at, "s" + session, "", turn + 1, Turn.UNKNOWN, prompt, output, own + said, Turn.Recorded.NOTHING);
        sender.send(request, item, session, session, at);
    }

    private double pause(Seeds.Purpose purpose, int item) {
        return spec.gap().fixedS()
                + exponential(seeds.stream(purpose, item), spec.gap().exponentialS());
    }

    private static double exponential(SplittableRandom random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private static int draw(WorkloadSpec.Range range, SplittableRandom random) {
        return range.low() + random.nextInt(range.high() - range.low() + 1);
    }
}

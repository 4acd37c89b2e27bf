package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.Load;
import dev.warmroute.simulator.replay.Seeds;

/** Requests that have nothing in common, at exponential intervals, whatever becomes of them. */
final class PoissonLoad implements Load {
    private final int requests;
    private final double perSecond;
    private final int promptTokens;
    private final int outputTokens;
    private final Seeds seeds;

    /** @param perSecond requests a second; without limit all come at once */
    PoissonLoad(int requests, double perSecond, int promptTokens, int outputTokens, Seeds seeds) {
        this.requests = requests;
        this.perSecond = perSecond;
        this.promptTokens = promptTokens;
        this.outputTokens = outputTokens;
        this.seeds = seeds;
    }

    @Override
    public void begin(Sender sender) {
        double at = 0;
        for (int i = 0; i < requests; i++) {
            at += -StrictMath.log(1 - seeds.stream(Seeds.Purpose.START, i).nextDouble()) / perSecond;
            long own = (i + 1L) << 32;
            long nanos = Math.round(at * 1e9);
            Turn turn = new Turn(
                    i,
                    nanos,
                    "",
                    "",
                    0,
                    Turn.UNKNOWN,
                    Prompt.of(own, promptTokens),
                    outputTokens,
                    own + promptTokens,
                    Turn.Recorded.NOTHING);
            sender.send(turn, i, -1, -1, nanos);
        }
    }

    @Override
    public void ended(int item, long at, Sender sender) {
        // nothing waits for it
    }

    @Override
    public long expected() {
        return requests;
    }
}

package dev.warmroute.benchmarks;

import dev.warmroute.recorder.trace.Prompt;
import java.util.SplittableRandom;

/** Growing conversations as requests: each begins with 8,000 tokens of its own and adds 400 to 800 a turn. */
final class Conversations {
    private Conversations() {}

    /** The prompts of so many turns, each of a conversation drawn at random, the same at every call. */
    static Prompt[] turns(int conversations, int turns) {
        SplittableRandom random = new SplittableRandom(1);
        int[] length = new int[conversations];
        Prompt[] prompts = new Prompt[turns];
        for (int i = 0; i < turns; i++) {
            int conversation = random.nextInt(conversations);
            length[conversation] += length[conversation] == 0 ? 8_000 : 400 + random.nextInt(400);
            prompts[i] = Prompt.of((conversation + 1L) << 32, length[conversation]);
        }
        return prompts;
    }
}

package dev.warmroute.export.notebook;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.Outcome;
import java.util.HashSet;
import java.util.List;

/**
 * Hands the replays of a what-if on one at a time, in an order that depends on the request alone: the first seed of every policy,
 * then the further seeds of each policy that has any. A thread whose turn has not come waits with its outcome, so that no more
 * outcomes are held than there are threads. This is the order in which {@link WhatIf} begins its replays, so that what is
 * waited for is always under way; and in which it collects them, so that when one fails, those that wait are interrupted.
 */
final class ReplaysInOrder implements WhatIf.Watcher {
    private final WhatIf.Watcher next;
    private final List<String> policies;
    private final boolean drawn;
    private final int seeds;
    private final boolean[] further;
    private int told;

    /** @throws UserError if a policy is named twice: its rows could not be told apart */
    ReplaysInOrder(WhatIfRequest request, WhatIf.Watcher next) {
        this.next = next;
        this.policies = request.policies().stream().map(PolicyChoice::label).toList();
        this.drawn = request.subject().drawn();
        this.seeds = request.seeds();
        this.further = new boolean[policies.size()];
        HashSet<String> seen = new HashSet<>();
        policies.stream().filter(p -> !seen.add(p)).findFirst().ifPresent(p -> {
            throw new UserError("--policy names " + p + " twice: name it once");
        });
    }

    @Override
    public synchronized void ended(String policy, int seed, Outcome outcome) {
        int p = policies.indexOf(policy);
        while (told < policies.size() ? seed > 1 || told < p : told < place(p, seed)) {
            await();
        }
        next.ended(policy, seed, outcome);
        if (seed == 1) {
            further[p] = drawn || outcome.randomised();
        }
        told++;
        notifyAll();
    }

    /** The place of a further seed, known when all first ones have been told. */
    private int place(int policy, int seed) {
        int place = policies.size() + seed - 2;
        for (int p = 0; p < policy; p++) {
            place += further[p] ? seeds - 1 : 0;
        }
        return place;
    }

    private void await() {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted before the comparison was complete", e);
        }
    }
}

package dev.warmroute.simulator.warm;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what the first turns of a trace share: sorted by their tokens, prompts that begin alike are neighbours, and every length
 * that neighbours have in common is a prefix of all between them (the inner nodes of their trie, as with a suffix array's common
 * prefixes). Of these the most valuable are taken one after the other: each time the one that covers the most tokens of first
 * turns which none before it covers. Requests without a session each count as a first turn.
 */
public final class SharedPrefixes {
    /** Most prefixes that are looked for. */
    public static final int MOST = 64;

    private final List<Prompt> prompts;
    private final List<Node> nodes = new ArrayList<>();

    /** Prompts number {@code from} to {@code to} in the order share so many tokens. */
    private record Node(int from, int to, int tokens) {}

    private SharedPrefixes(List<Prompt> sorted) {
        this.prompts = sorted;
    }

    /**
     * The most valuable prefixes of a trace, the best first.
     *
     * @param leastTokens shortest prefix of interest: a block, since less is never cached
     * @param most how many, at most {@link #MOST}
     */
    public static List<SharedPrefix> of(List<Turn> turns, int leastTokens, int most) {
        List<Prompt> sorted = new ArrayList<>(firstTurns(turns));
        sorted.sort(SharedPrefixes::compare);
        SharedPrefixes shared = new SharedPrefixes(sorted);
        shared.findNodes(leastTokens);
        return shared.best(Math.min(most, MOST));
    }

    /** What all sessions of a workload begin with; none if they share less than a block. */
    public static List<SharedPrefix> of(WorkloadSpec workload, int leastTokens) {
        return workload.systemTokens() < leastTokens
                ? List.of()
                : List.of(
                        new SharedPrefix("system prompt", Prompt.of(0, workload.systemTokens()), workload.sessions()));
    }

    private static List<Prompt> firstTurns(List<Turn> turns) {
        Set<String> begun = new HashSet<>();
        return turns.stream()
                .filter(t -> !t.hasSession() || begun.add(t.affinityKey()))
                .map(Turn::prompt)
                .toList();
    }

    private static int compare(Prompt a, Prompt b) {
        int common = a.commonPrefix(b);
        return common == a.tokens() || common == b.tokens()
                ? Integer.compare(a.tokens(), b.tokens())
                : Long.compare(a.tokenAt(common), b.tokenAt(common));
    }

    /** Every run of neighbours with a common prefix that is longer than that of any longer run. */
    private void findNodes(int leastTokens) {
        Deque<Node> open = new ArrayDeque<>(); // ever longer prefixes, which all reach to here
        for (int i = 1; i <= prompts.size(); i++) {
            int common = i == prompts.size() ? 0 : prompts.get(i - 1).commonPrefix(prompts.get(i));
            int from = i - 1;
            while (!open.isEmpty() && open.peek().tokens > common) {
                Node node = open.pop();
                from = node.from;
                if (node.tokens >= leastTokens) {
                    nodes.add(new Node(node.from, i - 1, node.tokens));
                }
            }
            if (common > 0 && (open.isEmpty() || open.peek().tokens < common)) {
                open.push(new Node(from, i, common));
            }
        }
    }

    private List<SharedPrefix> best(int most) {
        List<SharedPrefix> best = new ArrayList<>();
        int[] covered = new int[prompts.size()];
        Optional<Node> next = best(covered);
        while (next.isPresent() && best.size() < most) {
            Node node = next.get();
            for (int i = node.from; i <= node.to; i++) {
                covered[i] = Math.max(covered[i], node.tokens);
            }
            Prompt prompt = Prompt.builder()
                    .prefixOf(prompts.get(node.from), node.tokens)
                    .build();
            best.add(new SharedPrefix("prefix " + (best.size() + 1), prompt, node.to - node.from + 1));
            next = best(covered);
        }
        return best;
    }

    /** The prefix that covers the most tokens that are not covered yet, the first of several; empty when none covers any. */
    private Optional<Node> best(int[] covered) {
        Optional<Node> best = Optional.empty();
        long most = 0;
        for (Node node : nodes) {
            long gain = gain(node, covered);
            if (gain > most) {
                most = gain;
                best = Optional.of(node);
            }
        }
        return best;
    }

    private static long gain(Node node, int[] covered) {
        long gain = 0;
        for (int i = node.from; i <= node.to; i++) {
            gain += Math.max(0, node.tokens - covered[i]);
        }
        return gain;
    }
}

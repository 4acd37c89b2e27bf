package dev.warmroute.export.report;

import java.util.ArrayList;
import java.util.List;

/** The terms a report uses, and what it does not say. */
final class Glossary {
    private static final List<Definition> ALWAYS = List.of(
            new Definition(
                    "Prefix hit",
                    "Prompt tokens found in the prefix cache when the engine admitted the request, in percent of all prompt"
                            + " tokens of the requests that got a first token."),
            new Definition(
                    "TTFT",
                    "Time from the client's send to the first byte of the answer, waiting at the router included."),
            new Definition(
                    "Interval",
                    "The uncertainty named under each figure. Two values whose intervals overlap are not told apart,"
                            + " unless the interval of their paired difference leaves 0 out; a value without an interval is told apart"
                            + " from none."));

    private static final List<Definition> CAPACITY = List.of(
            new Definition(
                    "Utilisation",
                    "What the sessions at home on a replica need, the shared prefix counted once, over what its cache holds."
                            + " Above one, some session must lose its cache while it is still wanted."),
            new Definition(
                    "Fits, at the edge, does not fit",
                    "Fits: the fullest replica stays under 85 % with contexts at their 95th percentile. Does not fit: some"
                            + " replica is over 100 % with mean contexts. At the edge: between the two."),
            new Definition(
                    "Reuse distance",
                    "How many different tokens were touched since a block was last wanted. A cache of that size or more"
                            + " would still have it."));

    private static final List<Definition> WHAT_IF = List.of(
            new Definition("Output", "Generated tokens of all replicas per minute."),
            new Definition(
                    "Session time",
                    "From a session's first send to its last byte. Sessions that had not ended count with their age."),
            new Definition(
                    "Best, regret",
                    "The share of the resamples behind the intervals in which a policy has the best figure, and by how much it is"
                            + " worse than the best of a resample, in the mean. A paired difference in bold is told apart from none."),
            new Definition(
                    "Fairness",
                    "Jain's index over the sessions' generated tokens for each second of waiting and answering: 1 when all are"
                            + " served alike, 1/n when one of n gets everything."),
            new Definition("Replicas busy", "Mean number of replicas that had a request to work on."),
            new Definition(
                    "Stayed", "Turns after a session's first that went where the turn before had gone, in percent."),
            new Definition(
                    "Causes of misses",
                    "Each missed prompt token has exactly one, the first that applies: the replica had started again; the turn"
                            + " went elsewhere than the one before; said for the first time; behind an edited place; overwritten"
                            + " while the turn waited in a queue; overwritten before it came; in a block that was not full, or the"
                            + " last token, which is always computed."),
            new Definition("Preemption", "A request pushed out of the running batch, to be computed again."));

    private static final List<Definition> VALIDATION = List.of(
            new Definition(
                    "Error",
                    "Predicted minus measured. A measured run is a single run: it has a spread of its own that is not known here."));

    private static final List<Definition> INSIDE = List.of(
            new Definition(
                    "Computed again",
                    "Prompt tokens that some replica had computed before: lost with the turn that went elsewhere, overwritten, or"
                            + " lost in a restart."),
            new Definition(
                    "Cost of a turn",
                    "The time of one engine step that computes those tokens with nothing beside it, by the step times of the"
                            + " simulation."),
            new Definition(
                    "Cached, nobody's",
                    "Blocks that no request holds and the next one with the same prefix would find: at least the cached blocks less"
                            + " the held ones."));

    private Glossary() {}

    static List<Definition> of(boolean capacity, boolean whatIf, boolean validation, boolean inside) {
        List<Definition> terms = new ArrayList<>(ALWAYS);
        if (capacity) {
            terms.addAll(CAPACITY);
        }
        if (whatIf) {
            terms.addAll(WHAT_IF);
        }
        if (inside) {
            terms.addAll(INSIDE);
        }
        if (validation) {
            terms.addAll(VALIDATION);
        }
        return terms;
    }
}

package dev.warmroute.cli;

import dev.warmroute.simulator.gate.CheckResult;
import dev.warmroute.simulator.gate.Evidence;
import dev.warmroute.simulator.gate.JudgeBy;
import dev.warmroute.simulator.gate.Judgement;
import java.io.PrintWriter;
import java.util.List;

/** A check for the terminal: what makes it worthless first, then the verdict, then a line an assertion. */
final class CheckText {
    private CheckText() {}

    static void print(CheckResult result, PrintWriter out) {
        Evidence evidence = result.evidence();
        result.warning().ifPresent(w -> {
            out.println(w);
            out.println();
        });
        out.println("Check     " + result.verdict());
        evidence.fleet().ifPresent(f -> out.println("Fleet     " + WhatIfText.describe(f)));
        result.baseline().ifPresent(b -> out.println("Baseline  " + b));
        result.notes().forEach(n -> out.println("Note      " + n));
        out.println();
        List<Judgement> assertions = evidence.assertions();
        int outcome = width(assertions.stream().map(a -> a.outcome().words()).toList());
        int text = width(assertions.stream().map(Judgement::text).toList());
        for (Judgement a : assertions) {
            out.printf("%-" + outcome + "s  %-" + text + "s  %s%n", a.outcome().words(), a.text(), a.detail());
        }
        out.println();
        if (evidence.judgedBy() == JudgeBy.INTERVAL) {
            out.println(
                    "An assertion holds when its whole 95 % interval is on the right side (--judge-by figure: when the figure is).");
        }
        out.println("Hash      " + result.hash());
    }

    private static int width(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(1);
    }
}

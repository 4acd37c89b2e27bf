package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.warm.SharedPrefix;
import dev.warmroute.simulator.warm.SharedPrefixes;
import dev.warmroute.simulator.warm.WarmPromptChoice;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --warm-prompts}: what replicas compute when they start. */
final class WarmPromptsOption {
    @Option(
            names = "--warm-prompts",
            paramLabel = "FILE|auto:N",
            description =
                    "Prompts that each replica computes when it starts, and what they are worth: the N most valuable that the"
                            + " trace's first turns share, or a JSON list of {\"name\", \"tokens\"} that describes them.")
    private String choice;

    /** The prompts for a question; none when none were asked for. */
    List<SharedPrefix> of(WhatIfQuestion question) {
        if (choice == null) {
            return List.of();
        }
        int block = question.request().fleet().engine().blockSize();
        List<SharedPrefix> shared = switch (question.request().subject()) {
            case Subject.OfWorkload workload -> SharedPrefixes.of(workload.spec(), block);
            case Subject.OfTrace trace -> {
                refuseWithoutTimes(trace);
                yield SharedPrefixes.of(trace.load().turns(), block, SharedPrefixes.MOST);
            }
        };
        return WarmPromptChoice.of(choice).among(shared, block);
    }

    private static void refuseWithoutTimes(Subject.OfTrace trace) {
        boolean serial = trace.how() == Subject.Mode.SERIAL;
        if (serial || trace.fromNanos().isPresent()) {
            throw new UserError("--warm-prompts are computed when the replicas start, and take their time: leave out "
                    + (serial
                            ? "--serial, which has no times"
                            : "--from, before which everything is as it was recorded"));
        }
    }
}

package dev.warmroute.cli;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/**
 * Registry of the commands, in the order in which help shows them. A command's class is loaded when it is asked for: to read
 * the options of all of them takes longer than many a command runs.
 */
enum Commands {
    DEMO("demo"),
    ROUTER("router"),
    REPLICA("replica"),
    LOAD("load"),
    TOPICS("topics"),
    POLICIES("policies"),
    CAPACITY("capacity"),
    RECORD("record"),
    TRACE("trace"),
    WHATIF("whatif"),
    CHECK("check"),
    PROMOTE("promote"),
    SWEEP("sweep"),
    WORKER("worker"),
    EXPORT("export"),
    VALIDATE("validate"),
    COMPLETION("completion");

    private final String commandName;

    Commands(String commandName) {
        this.commandName = commandName;
    }

    /** Adds the command that the arguments name; all of them if they name none, for help and for what was meant instead. */
    static void addTo(CommandLine line, String... args) {
        List<Commands> all = Arrays.asList(values());
        all.stream()
                .filter(c -> c.commandName.equals(firstWord(args)))
                .findFirst()
                .map(List::of)
                .orElse(all)
                .forEach(c -> line.addSubcommand(c.commandName, c.create()));
    }

    /** The first argument that is no option; no option of {@link Main} has a value. */
    private static String firstWord(String... args) {
        return Arrays.stream(args).filter(a -> !a.startsWith("-")).findFirst().orElse("");
    }

    private Object create() {
        return switch (this) {
            case DEMO -> new DemoCommand();
            case ROUTER -> new RouterCommand();
            case REPLICA -> new ReplicaCommand();
            case LOAD -> new LoadCommand();
            case TOPICS -> new TopicsCommand();
            case POLICIES -> new PoliciesCommand();
            case CAPACITY -> new CapacityCommand();
            case RECORD -> new RecordCommand();
            case TRACE -> new TraceCommand();
            case WHATIF -> new WhatIfCommand();
            case CHECK -> new CheckCommand();
            case PROMOTE -> new PromoteCommand();
            case SWEEP -> new SweepCommand();
            case WORKER -> new WorkerCommand();
            case EXPORT -> new ExportCommand();
            case VALIDATE -> new ValidateCommand();
            case COMPLETION -> new CompletionCommand();
        };
    }
}

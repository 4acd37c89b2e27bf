package dev.warmroute.cli;

/** Exit codes of every command. */
final class ExitCode {
    static final int DONE = 0;
    /** It failed; one line on standard error says what to do. */
    static final int FAILED = 1;
    /** The command line is wrong. */
    static final int USAGE = 2;
    /** It worked, and the answer is "no": a check, a gate or a validation did not pass. */
    static final int ANSWER_IS_NO = 3;

    private ExitCode() {}
}

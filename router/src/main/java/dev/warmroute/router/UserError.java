package dev.warmroute.router;

/**
 * Something that the person who runs warmroute can mend: a wrong file, key or value. The message is one line that says
 * what was wrong, where (file, row, field) and what to do; it is shown without a stack trace, and the command exits with 1.
 */
public class UserError extends RuntimeException {
    public UserError(String message) {
        super(message);
    }

    public UserError(String message, Throwable cause) {
        super(message, cause);
    }
}

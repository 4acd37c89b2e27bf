package dev.warmroute.router.policy;

import dev.warmroute.router.UserError;

/** A policy or one of its parameters is not what was meant. */
public final class PolicyError extends UserError {
    private static final long serialVersionUID = 1L;

    private final String key;

    PolicyError(String key, String message) {
        super(message);
        this.key = key;
    }

    /** What is wrong: the parameter's name, or {@code name} for the policy's own. */
    public String key() {
        return key;
    }
}

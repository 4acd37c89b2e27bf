package dev.warmroute.simulator.load;

import dev.warmroute.router.UserError;
import java.util.Objects;

/**
 * Closed-loop agent sessions: each resends its whole history every turn, reads the answer, pauses as a tool would, and goes
 * on; a finished session is replaced by a new one. All times are the model's: against stand-ins that run at
 * {@code speed} times real time, pauses and durations shrink by the same factor.
 *
 * @param endpoint where the API is, without {@code /v1}: {@code http://127.0.0.1:8080}
 * @param model name of the model
 * @param sessions concurrent sessions
 * @param sharedTokens words of the system prompt that all sessions share
 * @param firstTokens words of a session's first user message
 * @param growthTokens words of every later user message
 * @param turns turns of a session
 * @param rounds sessions that follow each other in each of the concurrent places; 0 = as many as the time allows
 * @param outputTokens output tokens of a turn on average; uniform in 0.7 to 1.3 times this
 * @param gapSeconds pause between an answer and the next turn on average; uniform in 0.3 to 1.7 times this
 * @param staggerSeconds sessions begin at random moments of this long a start
 * @param seconds for how long turns are started; those under way then are waited for
 * @param drainSeconds for how long, at most
 * @param speed model seconds in a second of the wall clock
 * @param seed of everything random
 * @param arm goes into every session id, so that a router does not take two runs for the same conversations
 * @param sessionHeader name of the header that carries the session id
 * @param apiKey sent as a bearer token; empty for none
 * @param ignoreEos whether answers must have exactly their length ({@code ignore_eos}, which vLLM knows)
 */
public record AgentLoadOptions(
        String endpoint,
        String model,
        int sessions,
        int sharedTokens,
        int firstTokens,
        int growthTokens,
        int turns,
        int rounds,
        int outputTokens,
        double gapSeconds,
        double staggerSeconds,
        double seconds,
        double drainSeconds,
        double speed,
        long seed,
        String arm,
        String sessionHeader,
        String apiKey,
        boolean ignoreEos) {

    private static final AgentLoadOptions DEFAULTS = new AgentLoadOptions(
            "http://127.0.0.1:8080",
            "stand-in",
            8,
            3500,
            3700,
            400,
            6,
            0,
            200,
            2.0,
            2.0,
            180,
            120,
            1.0,
            1,
            "load",
            "x-session-id",
            "",
            true);

    /**
     * Returns the shape of the published LM Warden measurement: a system prompt of 3,500 tokens, a first message that brings
     * the prompt to 7,200, five more turns of 400, answers of up to 256, three minutes.
     */
    public static AgentLoadOptions defaults() {
        return DEFAULTS;
    }

    /** @throws UserError that names the option, its value and what was expected */
    public AgentLoadOptions {
        Objects.requireNonNull(arm, "arm");
        Objects.requireNonNull(apiKey, "apiKey");
        LoadOption.requireEndpoint(endpoint);
        LoadOption.require(!model.isBlank(), "--model", model, "a name");
        LoadOption.require(sessions >= 1, "--sessions", sessions, "at least 1");
        LoadOption.require(sharedTokens >= 0, "--shared", sharedTokens, "0 or more tokens");
        LoadOption.require(firstTokens >= 1, "--first", firstTokens, "at least 1 token");
        LoadOption.require(growthTokens >= 1, "--growth", growthTokens, "at least 1 token");
        LoadOption.require(turns >= 1, "--turns", turns, "at least 1");
        LoadOption.require(rounds >= 0, "--rounds", rounds, "0 (no limit) or more");
        LoadOption.require(outputTokens >= 1, "--output", outputTokens, "at least 1 token");
        LoadOption.require(gapSeconds >= 0 && Double.isFinite(gapSeconds), "--gap", gapSeconds, "0 or more seconds");
        LoadOption.require(
                staggerSeconds >= 0 && Double.isFinite(staggerSeconds),
                "--stagger",
                staggerSeconds,
                "0 or more seconds");
        LoadOption.require(seconds > 0 && Double.isFinite(seconds), "--seconds", seconds, "more than 0");
        LoadOption.require(
                drainSeconds >= 0 && Double.isFinite(drainSeconds), "--drain", drainSeconds, "0 or more seconds");
        LoadOption.require(speed > 0 && speed <= 1e6, "--speed", speed, "more than 0, at most 1000000");
        LoadOption.require(
                sessionHeader.matches("[A-Za-z0-9-]+"), "--session-header", sessionHeader, "the name of a header");
    }

    public AgentLoadOptions withEndpoint(String url) {
        return new AgentLoadOptions(
                url,
                model,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    public AgentLoadOptions withModel(String name) {
        return new AgentLoadOptions(
                endpoint,
                name,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    public AgentLoadOptions withSessions(int count) {
        return new AgentLoadOptions(
                endpoint,
                model,
                count,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    /** Returns these options with other lengths, in tokens. */
    public AgentLoadOptions withShape(int shared, int first, int growth, int turnsEach, int output) {
        return new AgentLoadOptions(
                endpoint,
                model,
                sessions,
                shared,
                first,
                growth,
                turnsEach,
                rounds,
                output,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    public AgentLoadOptions withRounds(int sessionsEach) {
        return new AgentLoadOptions(
                endpoint,
                model,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                sessionsEach,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    public AgentLoadOptions withGap(double meanSeconds) {
        return new AgentLoadOptions(
                endpoint,
                model,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                meanSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    /** Returns these options for a run of so many model seconds at a speed. */
    public AgentLoadOptions withTime(double modelSeconds, double factor) {
        return new AgentLoadOptions(
                endpoint,
                model,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                modelSeconds,
                drainSeconds,
                factor,
                seed,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    public AgentLoadOptions withSeed(long number) {
        return new AgentLoadOptions(
                endpoint,
                model,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                number,
                arm,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    public AgentLoadOptions withArm(String name) {
        return new AgentLoadOptions(
                endpoint,
                model,
                sessions,
                sharedTokens,
                firstTokens,
                growthTokens,
                turns,
                rounds,
                outputTokens,
                gapSeconds,
                staggerSeconds,
                seconds,
                drainSeconds,
                speed,
                seed,
                name,
                sessionHeader,
                apiKey,
                ignoreEos);
    }

    /** Returns the length of a model time on the wall clock, in nanoseconds. */
    long wallNanos(double modelSeconds) {
        return Math.round(modelSeconds / speed * 1e9);
    }
}

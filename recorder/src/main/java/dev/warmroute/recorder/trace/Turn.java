package dev.warmroute.recorder.trace;

import java.util.Objects;

/**
 * One request of a trace as the simulator replays it, whatever format it came from.
 *
 * @param index position in the trace, from 0; ties in time are broken by it
 * @param arrivalNanos recorded arrival in nanoseconds from the start of the trace
 * @param session conversation it belongs to, already hashed or anonymous; empty when the trace has no sessions
 * @param agent sub-agent within the session; empty for the main agent
 * @param turn number of the request within its session and agent, from 1; 0 when there is no session
 * @param gapNanos time between the end of the session's previous turn and this one (tools and thinking), or
 *     {@link #UNKNOWN} when the trace does not say; the first turn of a session has none
 * @param prompt what it says
 * @param outputTokens tokens it generates, at least 1
 * @param outputStart number of the first generated token in the linear token space of {@link Prompt}; the next turn's
 *     prompt refers to the same numbers where the trace knows that it contains this answer, and to none otherwise
 * @param recorded what was measured when the trace was recorded
 * @param labels what the source calls it; nothing that is replayed depends on it
 */
public record Turn(
        int index,
        long arrivalNanos,
        String session,
        String agent,
        int turn,
        long gapNanos,
        Prompt prompt,
        int outputTokens,
        long outputStart,
        Recorded recorded,
        Labels labels) {

    /** Stands for a time or a count that the trace does not have. */
    public static final long UNKNOWN = -1;

    /** Start of the part of the token space that no importer hands out: generated tokens nobody refers to. */
    public static final long OUTPUT_SPACE = 1L << 61;

    public Turn {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(prompt, "prompt");
        Objects.requireNonNull(recorded, "recorded");
        Objects.requireNonNull(labels, "labels");
        if (prompt.tokens() < 1) {
            throw new IllegalArgumentException("request " + index + " has an empty prompt");
        }
        if (outputTokens < 1) {
            throw new IllegalArgumentException(
                    "request " + index + ": output tokens must be at least 1: " + outputTokens);
        }
    }

    /** A request whose source calls it nothing. */
    public Turn(
            int index,
            long arrivalNanos,
            String session,
            String agent,
            int turn,
            long gapNanos,
            Prompt prompt,
            int outputTokens,
            long outputStart,
            Recorded recorded) {
        this(
                index,
                arrivalNanos,
                session,
                agent,
                turn,
                gapNanos,
                prompt,
                outputTokens,
                outputStart,
                recorded,
                Labels.NONE);
    }

    /** Returns a start for generated tokens that no other request shares. */
    public static long freshOutput(int index) {
        return OUTPUT_SPACE + ((long) index << 24);
    }

    public boolean hasSession() {
        return !session.isEmpty();
    }

    /** Key under which a router keeps this conversation: the session, and the sub-agent within it. */
    public String affinityKey() {
        return agent.isEmpty() ? session : session + '/' + agent;
    }

    /**
     * What was measured at recording time; {@link #UNKNOWN} where the source does not say.
     *
     * @param replica index of the replica that served it
     * @param cachedTokens prompt tokens found in the prefix cache, as the engine reported
     * @param ttftNanos time from the client's send to the first byte
     * @param durationNanos time from the client's send to the last byte
     */
    public record Recorded(int replica, long cachedTokens, long ttftNanos, long durationNanos) {
        public static final Recorded NOTHING = new Recorded(-1, UNKNOWN, UNKNOWN, UNKNOWN);
    }

    /**
     * What the source calls a request; empty where it does not say. Never text of a prompt or an answer.
     *
     * @param request its id
     * @param parent id of the request that it continues
     * @param parentAgent sub-agent that started this request's sub-agent
     * @param model name of the model
     * @param kind type of request, in the source's words
     * @param stop why the answer ended, in the source's words
     */
    public record Labels(String request, String parent, String parentAgent, String model, String kind, String stop) {
        public static final Labels NONE = new Labels("", "", "", "", "", "");

        public Labels {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(parent, "parent");
            Objects.requireNonNull(parentAgent, "parentAgent");
            Objects.requireNonNull(model, "model");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(stop, "stop");
        }

        /** Only the name of the model. */
        public static Labels ofModel(String model) {
            return model.isEmpty() ? NONE : new Labels("", "", "", model, "", "");
        }
    }
}

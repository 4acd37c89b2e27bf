package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.event.Kind;
import java.util.Arrays;

/**
 * What became of each request of a replay, one array a field. Requests are numbered in the order in which they became known;
 * times are nanoseconds from the start of the replay, {@link #NOT_YET} for what had not happened when it ended.
 */
public final class RequestLog {
    /** Stands for a moment or figure that never came. */
    public static final int NOT_YET = -1;

    private static final Kind[] KINDS = Kind.values();
    private static final int CAUSES = MissCause.values().length;

    private int size;
    private int[] index = new int[256];
    private int[] session = new int[256];
    private int[] conversation = new int[256];
    private int[] promptTokens = new int[256];
    private int[] outputTokens = new int[256];
    private int[] replica = new int[256];
    private byte[] kind = new byte[256];
    private int[] cachedTokens = new int[256];
    private int[] loadedTokens = new int[256];
    private int[] preemptions = new int[256];
    private int[] produced = new int[256];
    private int[] missed = new int[256 * CAUSES];
    private long[] sent = new long[256];
    private long[] admittedAt = new long[256];
    private long[] first = new long[256];
    private long[] end = new long[256];

    /** Number of requests. */
    public int size() {
        return size;
    }

    /** {@link Turn#index} of a request. */
    public int index(int r) {
        return index[r];
    }

    /** Number of its session, from 0; {@link #NOT_YET} without one. */
    public int session(int r) {
        return session[r];
    }

    /** Number of its conversation, a session's agent; {@link #NOT_YET} without a session. */
    public int conversation(int r) {
        return conversation[r];
    }

    public int promptTokens(int r) {
        return promptTokens[r];
    }

    /** Number of conversations: one more than the largest number of one. */
    public int conversations() {
        int most = NOT_YET;
        for (int r = 0; r < size; r++) {
            most = Math.max(most, conversation[r]);
        }
        return most + 1;
    }

    /** Tokens it asks for. */
    public int outputTokens(int r) {
        return outputTokens[r];
    }

    /** Replica it was sent to. */
    public int replica(int r) {
        return replica[r];
    }

    public Kind kind(int r) {
        return KINDS[kind[r]];
    }

    /** Prompt tokens found in the cache by its first admission, those loaded from host memory included. */
    public int cachedTokens(int r) {
        return cachedTokens[r];
    }

    /** Of these, loaded from host memory. */
    public int loadedTokens(int r) {
        return loadedTokens[r];
    }

    public int preemptions(int r) {
        return preemptions[r];
    }

    /** Tokens it had generated when it or the replay ended. */
    public int produced(int r) {
        return produced[r];
    }

    /** Prompt tokens that its first admission missed for a cause. */
    public int missed(int r, MissCause cause) {
        return missed[r * CAUSES + cause.ordinal()];
    }

    /** When the client sent it. */
    public long sent(int r) {
        return sent[r];
    }

    /** When a replica took it into its batch for the first time; {@link #NOT_YET} also where there is no clock. */
    public long admittedAt(int r) {
        return admittedAt[r];
    }

    /** When the client had its first byte. */
    public long first(int r) {
        return first[r];
    }

    /** When the client had its last byte. */
    public long end(int r) {
        return end[r];
    }

    /** Whether the client sent it before the replay ended. */
    public boolean wasSent(int r) {
        return sent[r] != NOT_YET;
    }

    /** Whether a replica took it into its batch. */
    public boolean wasAdmitted(int r) {
        return cachedTokens[r] != NOT_YET;
    }

    public boolean hasFirst(int r) {
        return first[r] != NOT_YET;
    }

    public boolean hasEnded(int r) {
        return end[r] != NOT_YET;
    }

    int add(Turn turn, int sessionNumber, int conversationNumber) {
        if (size == index.length) {
            grow();
        }
        int r = size++;
        index[r] = turn.index();
        session[r] = sessionNumber;
        conversation[r] = conversationNumber;
        promptTokens[r] = turn.prompt().tokens();
        outputTokens[r] = turn.outputTokens();
        replica[r] = NOT_YET;
        cachedTokens[r] = NOT_YET;
        loadedTokens[r] = 0;
        sent[r] = NOT_YET;
        admittedAt[r] = NOT_YET;
        first[r] = NOT_YET;
        end[r] = NOT_YET;
        return r;
    }

    void sent(int r, long at) {
        sent[r] = at;
    }

    void routed(int r, int chosen, Kind decision) {
        replica[r] = chosen;
        kind[r] = (byte) decision.ordinal();
    }

    void admitted(int r, int cached) {
        admitted(r, cached, NOT_YET);
    }

    void admitted(int r, int cached, long at) {
        if (cachedTokens[r] == NOT_YET) {
            cachedTokens[r] = cached;
            admittedAt[r] = at;
        }
    }

    void loaded(int r, int tokens) {
        loadedTokens[r] = tokens;
    }

    void preempted(int r) {
        preemptions[r]++;
    }

    void first(int r, long at) {
        first[r] = at;
    }

    void ended(int r, long at) {
        end[r] = at;
    }

    void missed(int r, MissCause cause, int tokens) {
        missed[r * CAUSES + cause.ordinal()] += tokens;
    }

    void produced(int r, int tokens) {
        produced[r] = tokens;
    }

    private void grow() {
        int n = size * 2;
        index = Arrays.copyOf(index, n);
        session = Arrays.copyOf(session, n);
        conversation = Arrays.copyOf(conversation, n);
        promptTokens = Arrays.copyOf(promptTokens, n);
        outputTokens = Arrays.copyOf(outputTokens, n);
        replica = Arrays.copyOf(replica, n);
        kind = Arrays.copyOf(kind, n);
        cachedTokens = Arrays.copyOf(cachedTokens, n);
        loadedTokens = Arrays.copyOf(loadedTokens, n);
        preemptions = Arrays.copyOf(preemptions, n);
        produced = Arrays.copyOf(produced, n);
        missed = Arrays.copyOf(missed, n * CAUSES);
        sent = Arrays.copyOf(sent, n);
        admittedAt = Arrays.copyOf(admittedAt, n);
        first = Arrays.copyOf(first, n);
        end = Arrays.copyOf(end, n);
    }
}

package dev.warmroute.simulator.replay;

import java.util.Arrays;

/**
 * What each replica held over time, read at the scrapes of a replay. However long the replay, at most {@value #MOST} moments
 * are kept: when they are full, every second one goes and from then on every second scrape counts.
 */
public final class ReplicaSamples {
    /** Moments kept at most. */
    public static final int MOST = 1024;

    private final int replicas;
    private long[] at = new long[64];
    private int[] held;
    private int[] cached;
    private int size;
    private int stride = 1;
    private long seen;

    /** @param replicas number of replicas; 0 for a replay without a clock */
    ReplicaSamples(int replicas) {
        this.replicas = replicas;
        this.held = new int[at.length * replicas];
        this.cached = new int[at.length * replicas];
    }

    /** Number of moments. */
    public int size() {
        return size;
    }

    public int replicas() {
        return replicas;
    }

    /** A moment, in nanoseconds from the start of the replay. */
    public long at(int i) {
        return at[i];
    }

    /** Blocks that requests of a replica held. */
    public int heldBlocks(int i, int replica) {
        return held[i * replicas + replica];
    }

    /** Distinct blocks in the prefix cache of a replica, held or not. */
    public int cachedBlocks(int i, int replica) {
        return cached[i * replicas + replica];
    }

    /** A scrape; true when it is kept, and {@link #read} is to follow for each replica. */
    boolean begin(long now) {
        if (seen++ % stride != 0) {
            return false;
        }
        if (size == MOST) {
            thin();
            if ((seen - 1) % stride != 0) {
                return false;
            }
        }
        if (size == at.length) {
            at = Arrays.copyOf(at, 2 * size);
            held = Arrays.copyOf(held, at.length * replicas);
            cached = Arrays.copyOf(cached, at.length * replicas);
        }
        at[size++] = now;
        return true;
    }

    /** What a replica holds at the moment that was begun. */
    void read(int replica, int heldBlocks, int cachedBlocks) {
        held[(size - 1) * replicas + replica] = heldBlocks;
        cached[(size - 1) * replicas + replica] = cachedBlocks;
    }

    private void thin() {
        for (int i = 0; i < size / 2; i++) {
            at[i] = at[2 * i];
            System.arraycopy(held, 2 * i * replicas, held, i * replicas, replicas);
            System.arraycopy(cached, 2 * i * replicas, cached, i * replicas, replicas);
        }
        size /= 2;
        stride *= 2;
    }
}

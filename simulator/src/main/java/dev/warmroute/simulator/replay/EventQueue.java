package dev.warmroute.simulator.replay;

import java.util.Arrays;

/**
 * Events in order of time; events of one moment in order of their kind, then in the order in which they were added. A binary
 * heap of primitive arrays.
 */
final class EventQueue {
    /** Time of an empty queue. */
    static final long NEVER = Long.MAX_VALUE;

    private long[] times = new long[64];
    /** Kind in the upper 16 bits, number of the event below: the order within a moment. */
    private long[] orders = new long[64];

    private int[] items = new int[64];
    private int size;
    private long added;

    boolean isEmpty() {
        return size == 0;
    }

    /** Time of the first event, {@link #NEVER} if there is none. */
    long time() {
        return size == 0 ? NEVER : times[0];
    }

    /** Kind of the first event. */
    int kind() {
        return (int) (orders[0] >>> 48);
    }

    /** Removes the first event and returns its item. */
    int remove() {
        int item = items[0];
        size--;
        if (size > 0) {
            long time = times[size];
            long order = orders[size];
            int moved = items[size];
            int hole = 0;
            while (true) {
                int child = 2 * hole + 1;
                if (child >= size) {
                    break;
                }
                if (child + 1 < size && before(times[child + 1], orders[child + 1], times[child], orders[child])) {
                    child++;
                }
                if (!before(times[child], orders[child], time, order)) {
                    break;
                }
                set(hole, times[child], orders[child], items[child]);
                hole = child;
            }
            set(hole, time, order, moved);
        }
        return item;
    }

    /**
     * Adds an event.
     *
     * @param kind 0 to 32767; smaller ones come first within a moment
     */
    void add(long time, int kind, int item) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            orders = Arrays.copyOf(orders, size * 2);
            items = Arrays.copyOf(items, size * 2);
        }
        long order = (long) kind << 48 | added++;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) / 2;
            if (!before(time, order, times[parent], orders[parent])) {
                break;
            }
            set(hole, times[parent], orders[parent], items[parent]);
            hole = parent;
        }
        set(hole, time, order, item);
    }

    private void set(int i, long time, long order, int item) {
        times[i] = time;
        orders[i] = order;
        items[i] = item;
    }

    private static boolean before(long time, long order, long otherTime, long otherOrder) {
        return time < otherTime || time == otherTime && order < otherOrder;
    }
}

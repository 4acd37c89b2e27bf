package dev.warmroute.simulator.engine;

import java.util.Arrays;

/** Running requests in the order of their admission. */
final class RunningList {
    private int[] requests = new int[16];
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int get(int i) {
        return requests[i];
    }

    void add(int request) {
        if (size == requests.length) {
            requests = Arrays.copyOf(requests, size * 2);
        }
        requests[size++] = request;
    }

    int removeLast() {
        return requests[--size];
    }

    void remove(int request) {
        for (int i = 0; i < size; i++) {
            if (requests[i] == request) {
                System.arraycopy(requests, i + 1, requests, i, size - i - 1);
                size--;
                return;
            }
        }
    }

    /** Drops every request that is no longer running, in one pass. */
    void keepRunning(byte[] status) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            int r = requests[i];
            if (status[r] == RequestTable.RUNNING) {
                requests[kept++] = r;
            }
        }
        size = kept;
    }
}

package dev.warmroute.simulator.engine;

/** Requests in the order in which they will be admitted: a ring of handles; preempted ones come back at its head. */
final class WaitingQueue {
    private int[] ring = new int[16];
    private int head;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int first() {
        return ring[head];
    }

    int get(int i) {
        return ring[(head + i) & (ring.length - 1)];
    }

    void addLast(int request) {
        makeRoom();
        ring[(head + size++) & (ring.length - 1)] = request;
    }

    void addFirst(int request) {
        makeRoom();
        head = (head - 1) & (ring.length - 1);
        ring[head] = request;
        size++;
    }

    int removeFirst() {
        int request = ring[head];
        head = (head + 1) & (ring.length - 1);
        size--;
        return request;
    }

    void remove(int request) {
        int mask = ring.length - 1;
        int kept = 0;
        for (int i = 0; i < size; i++) {
            int r = ring[(head + i) & mask];
            if (r != request) {
                ring[(head + kept++) & mask] = r;
            }
        }
        size = kept;
    }

    private void makeRoom() {
        if (size < ring.length) {
            return;
        }
        int[] bigger = new int[ring.length * 2];
        for (int i = 0; i < size; i++) {
            bigger[i] = get(i);
        }
        ring = bigger;
        head = 0;
    }
}

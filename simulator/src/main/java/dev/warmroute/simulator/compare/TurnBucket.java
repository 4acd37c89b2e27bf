package dev.warmroute.simulator.compare;

/** Turns of conversations by their number: the first eight singly, then up to twice as many each. */
final class TurnBucket {
    private static final int SINGLE = 8;
    private static final String[] NAMES = {"1", "2", "3", "4", "5", "6", "7", "8", "9-16", "17-32", "33-64", "65+"};

    static final int COUNT = NAMES.length;

    private TurnBucket() {}

    /** Bucket of a turn, from 1. */
    static int of(int turn) {
        if (turn <= SINGLE) {
            return turn - 1;
        }
        int doublings = Integer.SIZE - 1 - Integer.numberOfLeadingZeros((turn - 1) / SINGLE);
        return Math.min(SINGLE + doublings, COUNT - 1);
    }

    static String name(int bucket) {
        return NAMES[bucket];
    }
}

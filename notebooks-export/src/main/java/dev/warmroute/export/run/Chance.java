package dev.warmroute.export.run;

/** How things fall that each go to any of several places with the same chance: the binomial distribution. */
public final class Chance {
    private static final double TAIL = 0.025;

    private Chance() {}

    /**
     * The middle 95 % of how many of {@code things} one of {@code places} gets.
     *
     * @return the least and the most
     */
    public static int[] middle(int things, int places) {
        double p = 1.0 / places;
        double log = things * Math.log1p(-p); // of the probability of none
        double below = 0;
        int low = -1;
        for (int k = 0; k < things && places > 1; k++) {
            below += Math.exp(log);
            low = low < 0 && below > TAIL ? k : low;
            if (below >= 1 - TAIL) {
                return new int[] {low, k};
            }
            log += Math.log((double) (things - k) / (k + 1)) + Math.log(p) - Math.log1p(-p);
        }
        return new int[] {Math.max(0, places > 1 ? low : things), things};
    }
}

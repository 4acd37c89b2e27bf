package dev.warmroute.router;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The valid word that a wrong one was probably meant to be. */
public final class Nearest {
    private Nearest() {}

    /** The closest word by edit distance, if it is close: at most 2 edits, or 3 in a word of 8 letters or more. */
    public static Optional<String> to(String wrong, List<String> valid) {
        String best = "";
        int least = Integer.MAX_VALUE;
        for (String v : valid) {
            int d = distance(wrong.toLowerCase(Locale.ROOT).replace('-', '_'), v);
            if (d < least) {
                least = d;
                best = v;
            }
        }
        int allowed = Math.min(best.length() - 1, wrong.length() >= 8 ? 3 : 2);
        return least <= allowed ? Optional.of(best) : Optional.empty();
    }

    /** Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours cost 1. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(replace, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], 1 + d[i - 2][j - 2]);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}

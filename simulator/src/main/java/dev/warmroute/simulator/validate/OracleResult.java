package dev.warmroute.simulator.validate;

import java.util.List;
import java.util.Optional;

/**
 * What came of comparing the simulated engine with recordings.
 *
 * @param files recordings read
 * @param steps engine steps compared
 * @param requests requests in them
 * @param mismatches fields that differ, over all steps
 * @param firstMismatch the first of them, in the order of the files
 */
public record OracleResult(
        int files, long steps, long requests, long mismatches, Optional<OracleMismatch> firstMismatch) {
    static final OracleResult NOTHING = new OracleResult(0, 0, 0, 0, Optional.empty());

    public boolean agrees() {
        return mismatches == 0;
    }

    /** Sums up results in the order of their files. */
    static OracleResult sum(List<OracleResult> results) {
        OracleResult sum = NOTHING;
        for (OracleResult r : results) {
            sum = new OracleResult(
                    sum.files + r.files,
                    sum.steps + r.steps,
                    sum.requests + r.requests,
                    sum.mismatches + r.mismatches,
                    sum.firstMismatch.or(r::firstMismatch));
        }
        return sum;
    }
}

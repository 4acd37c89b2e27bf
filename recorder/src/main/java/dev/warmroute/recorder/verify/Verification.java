package dev.warmroute.recorder.verify;

import java.util.List;
import java.util.Objects;

/**
 * What {@link TraceVerifier} found.
 *
 * @param decisions decisions looked at
 * @param mismatches decisions that do not follow from their own event
 * @param checks every check, in a fixed order
 * @param differences the first differences of all checks, in the order of the routers' sequences
 */
public record Verification(long decisions, long mismatches, List<Check> checks, List<Difference> differences) {
    public Verification {
        checks = List.copyOf(checks);
        differences = List.copyOf(differences);
    }

    /** Whether every check passed. */
    public boolean ok() {
        return checks.stream().allMatch(Check::ok);
    }

    /**
     * One check.
     *
     * @param name fixed name
     * @param tolerance by how much a figure may differ: 0 where exactness is owed, else why not
     * @param detail what was found, in one line
     */
    public record Check(String name, boolean ok, String tolerance, String detail) {
        /** Exactness is owed. */
        static final String EXACT = "0";

        static final String NOT_ASKED = "not asked";

        public Check {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(tolerance, "tolerance");
            Objects.requireNonNull(detail, "detail");
        }
    }

    /**
     * Something that is not as it should be.
     *
     * @param check name of the check that found it
     * @param event {@code ce_id} of the event
     * @param place topic, partition and offset of the event
     * @param subject request, replica or router that it is about
     * @param field what differs
     * @param recorded what the event says
     * @param derived what it should say
     */
    public record Difference(
            String check, String event, String place, String subject, String field, String recorded, String derived) {
        @Override
        public String toString() {
            return check + ": event " + event + " (" + place + ", " + subject + "): " + field + " is " + recorded
                    + ", derived " + derived;
        }
    }
}

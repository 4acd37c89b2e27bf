package dev.warmroute.simulator.gate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.warmroute.simulator.compare.SelfReplay;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Answer of {@code check}; {@link dev.warmroute.router.event.EventCodec#mapper()} writes it with the field names that the command
 * promises.
 *
 * @param evidence what it rests on; its fields are this one's in JSON
 * @param source trace argument as it was given
 * @param notes what a reader should know of how it was replayed
 */
@JsonPropertyOrder({"ok", "hash", "source", "notes"})
public record CheckResult(@JsonUnwrapped Evidence evidence, String source, List<String> notes) {
    public CheckResult {
        Objects.requireNonNull(evidence, "evidence");
        Objects.requireNonNull(source, "source");
        notes = List.copyOf(notes);
    }

    /** Whether the policy passed: every assertion holds, on a trace that the simulator can be trusted with. */
    @JsonProperty("ok")
    public boolean ok() {
        return evidence.trusted() && evidence.assertions().stream().allMatch(Judgement::ok);
    }

    /** Hash of the evidence, which the router records with a policy that passed. */
    @JsonProperty("hash")
    public String hash() {
        return evidence.hash();
    }

    /** The policy that was checked, as it is named in tables. */
    @JsonIgnore
    public String policy() {
        return evidence.figures().getLast().policy();
    }

    /** The policy that it was held against. */
    @JsonIgnore
    public Optional<String> baseline() {
        return evidence.baseline().map(b -> evidence.figures().getFirst().policy());
    }

    /** The verdict in a line. */
    @JsonIgnore
    public String verdict() {
        long held = evidence.assertions().stream().filter(Judgement::ok).count();
        return (ok() ? "PASSED" : "NOT PASSED") + ": " + policy() + " on " + source + ", " + held + " of "
                + evidence.assertions().size() + " assertions hold"
                + (evidence.trusted() ? "" : ", and the trace is not replayed faithfully");
    }

    /** What is to be said before anything else: that the simulator cannot replay this recording. */
    @JsonIgnore
    public Optional<String> warning() {
        return unfaithful()
                .map(r -> String.format(
                        Locale.ROOT,
                        "NOT FAITHFUL: replayed as it was recorded, this trace has %+.1f %% of the cached tokens that the engines counted"
                                + " (tolerated: %.1f %%). %s",
                        r.cachedOffPct(),
                        r.tolerancePct(),
                        evidence.unfaithfulAccepted()
                                ? "It was accepted all the same; every figure may be as wrong."
                                : "Every figure may be as wrong, so the check does not pass."));
    }

    /** The replay of the recording as it was, if it is so far off that nothing else can be believed. */
    @JsonIgnore
    public Optional<SelfReplay> unfaithful() {
        return evidence.selfReplay().filter(r -> !r.faithful());
    }
}

package dev.warmroute.simulator.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.SelfReplay;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that a check's verdict rests on, and nothing that differs when it is done again elsewhere.
 *
 * @param assertions what was asserted, and what was found
 * @param policy the policy that was checked, with every parameter
 * @param baseline the one that it was held against, if any
 * @param judgedBy which number had to be on the right side
 * @param unfaithfulAccepted whether a recording that the simulator cannot replay was to be accepted
 * @param selfReplay a recording replayed as it was; empty for other traces
 * @param traceHash SHA-256 of the trace's content; of a workload, its name
 * @param fleet what it was replayed on
 * @param figures row of {@code whatif} of each policy, the baseline first
 * @param simulator version of warmroute
 */
public record Evidence(
        List<Judgement> assertions,
        PolicyIdentity policy,
        Optional<PolicyIdentity> baseline,
        JudgeBy judgedBy,
        boolean unfaithfulAccepted,
        Optional<SelfReplay> selfReplay,
        String traceHash,
        Optional<FleetSummary> fleet,
        List<PolicyRow> figures,
        String simulator) {
    public Evidence {
        assertions = List.copyOf(assertions);
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(baseline, "baseline");
        Objects.requireNonNull(judgedBy, "judgedBy");
        Objects.requireNonNull(selfReplay, "selfReplay");
        Objects.requireNonNull(traceHash, "traceHash");
        Objects.requireNonNull(fleet, "fleet");
        figures = List.copyOf(figures);
        Objects.requireNonNull(simulator, "simulator");
    }

    /** Whether the simulator can be trusted with this trace, as far as that can be known. */
    boolean trusted() {
        return unfaithfulAccepted || selfReplay.map(SelfReplay::faithful).orElse(true);
    }

    /** SHA-256, in hex, of this as JSON in one line, fields in the order above and maps by key. */
    String hash() {
        try {
            byte[] json = EventCodec.mapper().writeValueAsString(this).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a check could not be written", e);
        }
    }
}

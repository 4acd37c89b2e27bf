package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.format.FleetRecording;
import dev.warmroute.recorder.format.FleetRecording.Completion;
import dev.warmroute.recorder.format.FleetRecording.Decision;
import dev.warmroute.recorder.format.OnError;
import dev.warmroute.recorder.format.TraceFile;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.timing.ServedRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One recorded cell of a vLLM fleet: its requests and what was measured.
 *
 * @param file name of the file
 * @param policy the policy's own name
 * @param turns requests in order of their decisions
 */
record FleetCell(String file, String policy, FleetRecording recording, List<Turn> turns) {
    private static final double SECOND = 1e9;

    static FleetCell read(Path path) {
        TraceSource.Trace trace = TraceSource.read("fleet:" + path);
        FleetRecording recording = FleetRecording.read(new TraceFile(path, path.toString()), OnError.STOP);
        for (Turn t : trace.turns()) {
            if (t.recorded().cachedTokens() < 0 || t.recorded().ttftNanos() < 0) {
                throw new UserError(
                        path + ": request " + t.index() + " has no completion with cached tokens and a first token;"
                                + " a cell that is to be predicted must have one for every request");
            }
        }
        return new FleetCell(
                path.getFileName().toString(),
                Policies.named(recording.config().policy()).policyName(),
                recording,
                trace.turns());
    }

    int sessions() {
        return recording.config().sessions();
    }

    long stopNanos() {
        return Math.round(recording.config().seconds() * SECOND);
    }

    /** Its sessions that ran through all their turns. */
    boolean whole(List<Turn> session) {
        return session.size() == recording.config().turns();
    }

    int wholeSessions() {
        Map<String, Integer> count = new HashMap<>();
        turns.forEach(t -> count.merge(t.session(), 1, Integer::sum));
        return (int) count.values().stream()
                .filter(n -> n == recording.config().turns())
                .count();
    }

    /** When the first session of each client began. */
    long[] starts() {
        return turns.stream()
                .filter(t -> t.turn() == 1)
                .limit(sessions())
                .mapToLong(Turn::arrivalNanos)
                .toArray();
    }

    /** Parameters of the policy that the recording names. */
    Map<String, String> policyParameters() {
        int threshold = recording.config().overflowThreshold();
        return policy.equals(Policies.WARDEN.policyName()) && threshold > 0
                ? Map.of("overflow_threshold", Integer.toString(threshold))
                : Map.of();
    }

    /** The requests as they were decided: each sent when the client let go of it, after any holding. */
    List<Turn> decidedTurns() {
        List<Turn> decided = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            Turn t = turns.get(i);
            decided.add(new Turn(
                    t.index(),
                    recording.decisions().get(i).decidedNanos(),
                    t.session(),
                    t.agent(),
                    t.turn(),
                    t.gapNanos(),
                    t.prompt(),
                    t.outputTokens(),
                    t.outputStart(),
                    t.recorded()));
        }
        return decided;
    }

    /** The requests with their times, for calibration. */
    List<ServedRequest> served(int run) {
        List<ServedRequest> served = new ArrayList<>();
        for (Decision d : recording.decisions()) {
            Optional<Completion> end = recording.completion(d);
            if (end.isPresent() && end.get().firstNanos() >= 0 && end.get().cachedTokens() >= 0) {
                Completion c = end.get();
                served.add(new ServedRequest(
                        run,
                        d.replica(),
                        d.decidedNanos(),
                        c.firstNanos(),
                        c.endNanos(),
                        d.promptTokens(),
                        (int) c.cachedTokens(),
                        (int) Math.max(1, c.completionTokens())));
            }
        }
        return served;
    }

    long cachedTokens() {
        return turns.stream().mapToLong(t -> t.recorded().cachedTokens()).sum();
    }

    double hitPct() {
        return 100.0
                * cachedTokens()
                / turns.stream().mapToLong(t -> t.prompt().tokens()).sum();
    }

    /** Output tokens a minute, from the start of the cell to its last byte. */
    double outputPerMinute() {
        long end = turns.stream()
                .mapToLong(t -> t.arrivalNanos() + t.recorded().durationNanos())
                .max()
                .orElse(0);
        return turns.stream().mapToLong(Turn::outputTokens).sum() * 60 * SECOND / end;
    }

    double firstByteP50() {
        return Quantiles.of(turns.stream()
                        .mapToDouble(t -> t.recorded().ttftNanos() / SECOND)
                        .toArray())
                .at(0.5)
                .orElse(0);
    }

    /** Mean gap between two scrapes of one replica, in nanoseconds. */
    long scrapeNanos() {
        Map<Integer, Long> last = new HashMap<>();
        long sum = 0;
        long count = 0;
        for (FleetRecording.Counters c : recording.counters()) {
            Long before = last.put(c.replica(), c.atNanos());
            if (before != null) {
                sum += c.atNanos() - before;
                count++;
            }
        }
        return count == 0 ? Math.round(SECOND) : Math.max(1, sum / count);
    }
}

package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WarmStudy;
import dev.warmroute.simulator.compare.WarmWorth;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.timing.TimingProfile;
import dev.warmroute.simulator.warm.SharedPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A what-if as {@link WhatIfOptions} made it of the command line, ready to be computed.
 *
 * @param read the trace; empty for a workload
 * @param recorded the recording behind it; empty for other traces and for workloads
 * @param tolerancePct how far the recording's own replay may be off, in percent
 * @param caveats what the trace does not know
 * @param notes what a reader should know of how it is replayed
 * @param warm prompts that each replica computes when it starts
 */
record WhatIfQuestion(
        WhatIfRequest request,
        FleetOptions.Chosen chosen,
        Optional<TraceSource.Trace> read,
        Optional<RecordedRun> recorded,
        double tolerancePct,
        List<String> caveats,
        List<String> notes,
        List<SharedPrefix> warm) {
    WhatIfQuestion {
        caveats = List.copyOf(caveats);
        notes = List.copyOf(notes);
        warm = List.copyOf(warm);
    }

    /** The same of replicas that compute prompts when they start. */
    WhatIfQuestion warmed(List<SharedPrefix> prompts) {
        return new WhatIfQuestion(request, chosen, read, recorded, tolerancePct, caveats, notes, prompts);
    }

    /** Computes the answer, with all that is to be said about it. */
    WhatIfResult answer(Progress progress) {
        return answer(progress, WhatIf.Watcher.NOBODY);
    }

    /** The same, with somebody who looks at single replays. */
    WhatIfResult answer(Progress progress, WhatIf.Watcher watcher) {
        Optional<SelfReplay> selfReplay = selfReplay();
        WhatIfResult result = WhatIf.run(
                        request.warming(WarmStudy.start(warm)),
                        share -> progress.update("replayed " + Math.round(100 * share) + " %"),
                        watcher)
                .judgedBy(selfReplay)
                .noting(notes);
        return result.explained(chosen.explanation(), warnings(result.trace())).warmedBy(worth(progress));
    }

    private Optional<WarmWorth> worth(Progress progress) {
        return warm.isEmpty()
                ? Optional.empty()
                : Optional.of(WarmStudy.run(
                        request, warm, share -> progress.update("warm prompts: " + Math.round(100 * share) + " %")));
    }

    /** The step times that were learnt from the recording; the trace is named when there are none. */
    TimingProfile learntTiming(String trace) {
        return recorded.flatMap(RecordedRun::timing)
                .orElseThrow(() ->
                        new UserError("no step times were learnt from " + trace + ": it is no recording with times"
                                + " and cached tokens of at least 20 requests, or --timing was given"));
    }

    /** The recording replayed as it was; empty where there is none, or no times. */
    Optional<SelfReplay> selfReplay() {
        return request.subject() instanceof Subject.OfTrace t && t.how() != Subject.Mode.SERIAL && recorded.isPresent()
                ? recorded.get().selfReplay(t, request.fleet(), tolerancePct)
                : Optional.empty();
    }

    /** What the trace does not know, and what the model's cache cannot do for prompts of its mean length. */
    List<String> warnings(TraceSummary trace) {
        double context = trace.requests() == 0 ? 0 : (double) trace.promptTokens() / trace.requests();
        List<String> all = new ArrayList<>(caveats);
        chosen.served().ifPresent(s -> all.addAll(s.warnings(context, 0)));
        return all;
    }
}

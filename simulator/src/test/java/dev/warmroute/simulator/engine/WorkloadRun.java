package dev.warmroute.simulator.engine;

import dev.warmroute.recorder.trace.Prompt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Runs a workload through one engine and writes down everything that can be seen of it. */
final class WorkloadRun implements EngineListener {
    /** How the discrete-event core drives the engine. */
    enum Driving {
        /** From arrival to arrival. */
        ARRIVALS,
        /** From one moment that {@link TimedEngine#next} names to the next. */
        MOMENTS,
        /** Looking in at moments that have nothing to do with the engine. */
        GLANCES
    }

    private enum Kind {
        ARRIVAL,
        ABORT,
        LOOK
    }

    private record Outside(long at, Kind kind, int request) {}

    private final Workload workload;
    private final Engine engine;
    private final TimedEngine timed;
    private final Map<Integer, Integer> indexOf = new HashMap<>(); // handle -> request
    private final int[] handleOf;
    private final List<String> seen = new ArrayList<>();
    private long glance;
    private long heard;
    private long notBefore; // nothing may be heard before this moment

    WorkloadRun(Workload workload, boolean inExtents, boolean fastForward) {
        this.workload = workload;
        this.engine = new Engine(
                workload.config(), new ChainInterner(workload.config().blockSize()), this, inExtents);
        this.timed = new TimedEngine(engine, workload.law(), fastForward);
        this.handleOf = new int[workload.requests().size()];
        Arrays.fill(handleOf, -1);
    }

    /** Everything heard and seen, with its moment. */
    List<String> run(Driving driving) {
        List<Outside> outside = new ArrayList<>();
        for (int i = 0; i < workload.requests().size(); i++) {
            Workload.Request request = workload.requests().get(i);
            outside.add(new Outside(request.at(), Kind.ARRIVAL, i));
            if (request.abortAt() != Long.MAX_VALUE) {
                outside.add(new Outside(request.abortAt(), Kind.ABORT, i));
            }
        }
        workload.looks().forEach(at -> outside.add(new Outside(at, Kind.LOOK, -1)));
        outside.sort(Comparator.comparingLong(Outside::at));
        SplittableRandom glances = new SplittableRandom(workload.requests().size());
        for (Outside event : outside) {
            drive(event.at(), driving, glances);
            happen(event);
        }
        drive(TimedEngine.NEVER, driving, glances);
        look("end");
        seen.add("busy " + timed.busyNanos());
        flush();
        return seen;
    }

    private void drive(long until, Driving driving, SplittableRandom glances) {
        while (driving == Driving.MOMENTS && timed.next() < until) {
            notBefore = timed.next();
            if (glances.nextInt(4) == 0) {
                timed.advance(notBefore + 1);
            } else {
                timed.act(notBefore);
            }
        }
        while (driving == Driving.GLANCES && timed.next() < until) {
            glance = Math.min(until, Math.max(glance, timed.now()) + 1 + glances.nextLong(200_000));
            timed.advance(glance);
        }
        notBefore = 0;
        timed.advance(until);
    }

    private void happen(Outside event) {
        switch (event.kind()) {
            case ARRIVAL -> arrive(event.at(), event.request());
            case ABORT -> abort(event.at(), event.request());
            case LOOK -> look(Long.toString(event.at()));
        }
    }

    private void arrive(long at, int index) {
        Workload.Request request = workload.requests().get(index);
        if (engine.fits(request.prompt().tokens(), request.stopTokens())) {
            look(Long.toString(at));
            int handle =
                    timed.add(at, request.prompt(), request.maxTokens(), request.stopTokens(), request.outputStart());
            indexOf.put(handle, index);
            handleOf[index] = handle;
        }
    }

    private void abort(long at, int index) {
        int handle = handleOf[index];
        if (handle >= 0) {
            seen.add(at + " abort " + index + " after " + engine.outputTokens(handle));
            timed.abort(at, handle);
            handleOf[index] = -1;
        }
    }

    private void look(String at) {
        EngineCounters c = engine.counters();
        seen.add(at + " running " + engine.running() + " waiting " + engine.waiting() + " used "
                + engine.usedBlocks() + " cached " + engine.cachedBlocks() + " evicted " + engine.evictedBlocks()
                + " queries " + c.queries() + " hits " + c.hits() + " preemptions " + c.preemptions() + " prompt "
                + c.promptTokens() + " of it cached " + c.promptTokensCached() + " generated " + c.generatedTokens()
                + " finished " + c.finished() + " steps " + c.steps() + " tokens " + c.scheduledTokens()
                + " external queries " + c.externalQueries() + " hits " + c.externalHits() + " host "
                + engine.hostBlocks()
                + " evicted there " + engine.evictedHostBlocks());
    }

    /** What is cached, and in which order it goes: unrelated requests push it out bit by bit. */
    private void flush() {
        contents();
        int tokens = workload.config().blockSize() * 3;
        for (int i = 0; i < 40 && !workload.config().unlimited() && engine.fits(tokens, 1); i++) {
            long at = timed.now() + 1;
            int handle = timed.add(at, Prompt.of(-(i + 1L) << 20, tokens), 1, -(i + 101L) << 20);
            indexOf.put(handle, -1 - i);
            timed.advance(TimedEngine.NEVER);
            contents();
        }
        seen.add("all free " + engine.resetPrefixCache() + " cached " + engine.cachedBlocks());
    }

    private void contents() {
        StringBuilder text = new StringBuilder("contents");
        for (Workload.Request request : workload.requests()) {
            text.append(' ').append(engine.cachedPrefix(request.prompt()));
        }
        seen.add(text.toString());
    }

    private void hear(String what, int request) {
        if (timed.now() < notBefore) {
            throw new AssertionError("heard at " + timed.now() + " what next() promised not before " + notBefore);
        }
        int index = indexOf.get(request);
        if (timed.now() < heard
                || index >= 0 && timed.now() < workload.requests().get(index).at()) {
            throw new AssertionError(what + " at " + timed.now() + ", after " + heard + " or before it arrived");
        }
        heard = timed.now();
        seen.add(timed.now() + " " + what + " " + index);
    }

    @Override
    public void admitted(int request, int cachedTokens, boolean resumed) {
        hear((resumed ? "resumed" : "admitted") + " with " + cachedTokens, request);
    }

    @Override
    public void loading(int request, int cachedTokens, int loadedTokens, boolean resumed) {
        hear("loading " + loadedTokens + " after " + cachedTokens + (resumed ? " again" : ""), request);
    }

    @Override
    public void preempted(int request) {
        hear("preempted", request);
    }

    @Override
    public void firstToken(int request) {
        hear("first", request);
    }

    @Override
    public void finished(int request, int outputTokens) {
        hear("finished after " + outputTokens, request);
        int index = indexOf.get(request);
        if (index >= 0) {
            handleOf[index] = -1;
        }
    }
}

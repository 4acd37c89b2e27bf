package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.OutcomeRow;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Seeds;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** Computes one scenario: a pure function of the scenario and of what is replayed. */
final class ScenarioRun {
    private ScenarioRun() {}

    /**
     * Computes a scenario; one that cannot be computed gives a result that says why.
     *
     * @param progress may end it with a {@link CancellationException}
     */
    static ScenarioResult run(String id, Scenario scenario, LoadedSubject loaded, Progress progress) {
        try {
            FleetSpec machine = loaded.machine();
            FleetSpec fleet = scenario.engine()
                    .on(machine, loaded.ownBudgets(), scenario.cache())
                    .withReplicas(scenario.replicas().orElse(machine.replicas()));
            Subject subject = loaded.with(scenario.sessions());
            Outcome outcome = subject.replay(
                    fleet, scenario.policy().create(fleet.engine().maxNumSeqs()), new Seeds(scenario.seed()), progress);
            return result(id, outcome, OutcomeRow.of(scenario.policy().label(), outcome), fleet.engine());
        } catch (UserError e) {
            return ScenarioResult.wrong(id, e.getMessage().lines().findFirst().orElse("refused"));
        } catch (CancellationException stopped) {
            throw stopped;
        } catch (RuntimeException e) {
            // A fault of warmroute in one cell of the grid: the others are worth having.
            return ScenarioResult.fault(id, e);
        }
    }

    private static ScenarioResult result(String id, Outcome outcome, PolicyRow row, EngineConfig engine) {
        int refused = outcome.refused();
        String reason = refused == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of %,d requests are longer than a replica can serve (%s)",
                        refused,
                        outcome.requests().size(),
                        longest(engine));
        Optional<ScenarioFigures> figures = refused > 0 && row.promptTokens() == 0
                ? Optional.empty()
                : Optional.of(ScenarioFigures.of(row, refused));
        return new ScenarioResult(id, reason, figures);
    }

    private static String longest(EngineConfig engine) {
        String length = String.format(Locale.ROOT, "max_model_len %,d", engine.maxModelLen());
        return engine.unlimited()
                ? length
                : String.format(
                        Locale.ROOT,
                        "a cache of %,d blocks of %d tokens, %s",
                        engine.usableBlocks(),
                        engine.blockSize(),
                        length);
    }
}

package dev.warmroute.simulator.validate;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.PrefillFit;
import dev.warmroute.simulator.timing.PrefillFit.Measured;
import dev.warmroute.simulator.timing.StepTimeLaw;
import dev.warmroute.simulator.validate.WarmResult.Cell;
import dev.warmroute.simulator.validate.WarmResult.Model;
import dev.warmroute.simulator.validate.WarmResult.Times;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds the simulation of warm prompts against the published table of vllm-mlx: each cell with the one set of parameters of its
 * model.
 *
 * <p>Whatever the terms of a step cost, none of them falls by more than the tokens do when the system prompt is known: the base
 * not at all, tokens by (s + u) / u, token pairs by less. So no speed-up can be larger than that, and a published one beyond it,
 * tolerance included, is said to be impossible with that reason, and its times take no part in the fit.
 */
public final class WarmCheck {
    /** As published: a system prompt of about 1.7k tokens before about 2.5k of the user. */
    public static final int SYSTEM_TOKENS = 1_700;

    public static final int USER_TOKENS = 2_500;
    private static final double TOLERANCE = 0.25;
    private static final int MOST_TOKENS = 1 << 20;

    private final int systemTokens;
    private final int userTokens;
    private final double most;

    /** @param systemTokens length of the system prompt, at least 1 token, as {@code userTokens} */
    public WarmCheck(int systemTokens, int userTokens) {
        this.systemTokens = length("--system-tokens", systemTokens);
        this.userTokens = length("--user-tokens", userTokens);
        this.most = (double) (systemTokens + userTokens) / userTokens;
    }

    private static int length(String option, int tokens) {
        if (tokens < 1 || tokens > MOST_TOKENS) {
            throw new UserError(option + " " + tokens + ": expected 1 to " + MOST_TOKENS + " tokens");
        }
        return tokens;
    }

    /** @param file another table with the columns of the published one */
    public WarmResult run(Optional<Path> file) {
        List<WarmTable.Cell> table = file.map(WarmTable::read).orElseGet(WarmTable::published);
        List<Model> models = new ArrayList<>();
        List<Cell> cells = new ArrayList<>();
        for (String model : table.stream().map(WarmTable.Cell::model).distinct().toList()) {
            List<WarmTable.Cell> own =
                    table.stream().filter(c -> c.model().equals(model)).toList();
            PrefillFit fit = fit(model, own);
            AffineLaw law = fit.law();
            models.add(new Model(
                    model,
                    law.basePicos() / 1e9,
                    law.prefillTokenPicos() / 1e6,
                    law.attentionPairPicos() / 1e3,
                    fit.times(),
                    fit.rmsPct()));
            own.forEach(c -> cells.add(cell(c, law)));
        }
        List<String> complaints = cells.stream()
                .filter(c -> !c.holds())
                .map(c -> String.format(
                        Locale.ROOT,
                        "%s at %d: %.2f times as fast, published %.2f",
                        c.model(),
                        c.concurrency(),
                        c.simulated().speedUp(),
                        c.published().speedUp()))
                .toList();
        return new WarmResult(
                systemTokens,
                userTokens,
                TOLERANCE,
                most,
                models,
                cells,
                (int) cells.stream().filter(Cell::within).count(),
                (int) cells.stream().filter(c -> !c.reason().isEmpty()).count(),
                cells.stream()
                        .filter(c -> c.reason().isEmpty())
                        .mapToDouble(c -> Math.abs(c.off()))
                        .max()
                        .orElse(0),
                complaints.isEmpty(),
                complaints);
    }

    private boolean impossible(WarmTable.Cell cell) {
        return cell.speedUp() - TOLERANCE > most;
    }

    private PrefillFit fit(String model, List<WarmTable.Cell> cells) {
        List<Measured> times = new ArrayList<>();
        for (WarmTable.Cell c : cells) {
            if (!impossible(c)) {
                times.add(measured(c.concurrency(), systemTokens + userTokens, 0, c.coldS()));
                times.add(measured(c.concurrency(), userTokens, systemTokens, c.warmS()));
            }
        }
        if (times.isEmpty()) {
            throw new UserError("all speed-ups of " + model + " are impossible with a system prompt of " + systemTokens
                    + " tokens before " + userTokens + ": check --system-tokens and --user-tokens");
        }
        return PrefillFit.of(times);
    }

    private static Measured measured(int concurrency, int computed, int cached, double seconds) {
        return new Measured(
                (double) concurrency * computed, concurrency * StepTimeLaw.chunkAttention(computed, cached), seconds);
    }

    private Cell cell(WarmTable.Cell published, AffineLaw law) {
        WarmWave wave = new WarmWave(published.concurrency(), systemTokens, userTokens);
        Times simulated = Times.of(wave.meanTtft(law, false), wave.meanTtft(law, true));
        double off = simulated.speedUp() - published.speedUp();
        return new Cell(
                published.model(),
                published.concurrency(),
                Times.of(published.coldS(), published.warmS()),
                simulated,
                off,
                Math.abs(off) <= TOLERANCE,
                impossible(published) ? reason(published) : "");
    }

    private String reason(WarmTable.Cell cell) {
        return String.format(
                Locale.ROOT,
                "%d of %d tokens are left to compute: no more than %.2f times as fast whatever a step costs; %.2f would need %d known"
                        + " tokens, so the cold time holds something else than the prompt",
                userTokens,
                systemTokens + userTokens,
                most,
                cell.speedUp(),
                Math.round((systemTokens + userTokens) * (1 - 1 / cell.speedUp())));
    }
}

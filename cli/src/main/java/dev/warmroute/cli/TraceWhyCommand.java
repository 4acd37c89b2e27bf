package dev.warmroute.cli;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.RequestStory;
import dev.warmroute.recorder.verify.RequestStory.Decided;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace why}: one request's decisions in words. */
@Command(
        name = "why",
        description =
                "Explains where a request was sent: the decision in words, every candidate with what it lacked, whether it is"
                        + " derived again from its event, and how the request ended.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A request is named by its id, or the beginning of it: what 'trace head' shows at the end of a decision's first line.",
            "",
            "Example, with an id from the first command for REQUEST in the second:",
            "  warmroute trace head ./warmroute-demo/trace --topic decisions",
            "  warmroute trace why ./warmroute-demo/trace REQUEST"
        })
final class TraceWhyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(index = "0", paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Parameters(index = "1", paramLabel = "REQUEST", description = "Id of the request.")
    private String request;

    @Override
    public Integer call() {
        RequestStory story = RequestStory.of(Recording.openRecorded(directory), request);
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(story, out);
        } else {
            story.decisions().forEach(d -> print(d, out));
            out.println(story.end().map(TraceWhyCommand::end).orElse("end        not in the trace"));
        }
        return ExitCode.DONE;
    }

    private static void print(Decided decided, PrintWriter out) {
        RoutingDecision d = decided.decision();
        out.printf(
                "request    %s, attempt %d, at %s%n",
                d.requestId(), d.attempt(), Instant.EPOCH.plus(d.decidedUs(), ChronoUnit.MICROS));
        out.printf(
                "session    %s%n",
                d.session().key().isEmpty()
                        ? "none known"
                        : d.session().key() + " (by " + d.session().source() + "), home before: "
                                + d.homeBefore().orElse("none"));
        out.printf(
                "prompt     %s tokens, %,d bytes%n",
                Figures.count(d.prompt().tokens()), d.prompt().bytes());
        out.printf(
                "decision   %s by %s v%d: %s%n",
                d.kind().wireName(), d.policy().name(), d.policy().version(), decided.why());
        TextTable table = new TextTable(
                "candidate", "in flight", "live", "running", "KV", "cached there", "score", "what it lacked");
        decided.candidates().forEach(c -> {
            Candidate seen = c.candidate();
            table.row(
                    seen.replica(),
                    Integer.toString(seen.inFlight()),
                    Integer.toString(seen.liveSessions()),
                    number(seen.running()),
                    number(seen.kvUsage()),
                    seen.predictedCachedTokens().isPresent()
                            ? Figures.count(seen.predictedCachedTokens().getAsInt())
                            : "-",
                    number(seen.score()),
                    c.lacked());
        });
        table.print(out);
        if (decided.differences().isEmpty()) {
            out.println("derived    the same again from event " + decided.event() + " (" + decided.place() + ")");
        } else {
            decided.differences()
                    .forEach(x -> out.printf(
                            "derived    %s is %s, derived %s (event %s)%n",
                            x.field(), x.recorded(), x.derived(), decided.event()));
        }
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? Figures.plain(value.getAsDouble()) : "-";
    }

    private static String end(RequestCompleted c) {
        StringBuilder out = new StringBuilder("end        ");
        out.append(c.endedBy().wireName());
        c.status().ifPresent(s -> out.append(", status ").append(s));
        c.error().ifPresent(e -> out.append(", ").append(e));
        c.firstByteUs().ifPresent(f -> out.append(", first byte after ").append(seconds(f - c.arrivalUs())));
        out.append(", ended after ").append(seconds(c.lastByteUs() - c.arrivalUs()));
        out.append("; ")
                .append(Figures.count(c.promptTokens()))
                .append(" prompt tokens, ")
                .append(Figures.count(c.cachedTokens()))
                .append(" cached, ")
                .append(Figures.count(c.completionTokens()))
                .append(" generated");
        return out.toString();
    }

    private static String seconds(long us) {
        return Figures.seconds(OptionalDouble.of(us / 1e6)) + " s";
    }
}

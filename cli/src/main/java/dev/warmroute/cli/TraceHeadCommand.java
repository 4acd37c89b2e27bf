package dev.warmroute.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.EventPreparer;
import dev.warmroute.recorder.trace.Moment;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace head}: the first events. */
@Command(
        name = "head",
        description = "Shows a trace's first events by time, or those from a moment on.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A moment is a time (2026-11-30T08:00:00Z), a time after the first event (+90s), or an event's place",
            "(decisions/0:4711, or 4711 where the decisions have one partition).",
            "",
            "Example:",
            "  warmroute trace head ./warmroute-demo/trace -n 5 --topic decisions --from +10s"
        })
final class TraceHeadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Option(
            names = {"-n", "--events"},
            description = "How many (default: ${DEFAULT-VALUE}).")
    private int events = 10;

    @Option(
            names = "--topic",
            description = "Only events of this topic; may be repeated. One of: ${COMPLETION-CANDIDATES}.")
    private Set<Topic> topics = EnumSet.allOf(Topic.class);

    @Option(
            names = "--session",
            paramLabel = "HASH",
            description = "Only events about this conversation, or one that begins so.")
    private String session;

    @Option(names = "--from", paramLabel = "MOMENT", description = "First moment to show (default: the beginning).")
    private String from;

    /** An event as JSON shows it. */
    private record Shown(
            String topic,
            int partition,
            long offset,
            String time,
            String id,
            String type,
            String subject,
            String key,
            String saltId,
            JsonNode data) {}

    private record Head(List<Shown> events) {}

    @Override
    public Integer call() {
        if (events < 1) {
            throw new UserError("-n must be at least 1, not " + events);
        }
        Recording recording = Recording.openRecorded(directory);
        long us = from == null ? Long.MIN_VALUE : Moment.parse(from).us(recording);
        List<RecordedEvent> first = first(recording, us);
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(new Head(first.stream().map(TraceHeadCommand::shown).toList()), out);
            return ExitCode.DONE;
        }
        for (RecordedEvent e : first) {
            out.printf(
                    "%-27s  %-22s %s/%d:%d  %s%n",
                    e.time(), e.type(), e.topic().shortName(), e.partition(), e.offset(), e.subject());
            out.println("    " + (e.tombstone() ? "(forgotten)" : new String(e.data(), StandardCharsets.UTF_8)));
        }
        return ExitCode.DONE;
    }

    private List<RecordedEvent> first(Recording recording, long us) {
        List<RecordedEvent> out = new ArrayList<>();
        EventPreparer preparer = new EventPreparer();
        try (EventCursor cursor = recording.merged(topics)) {
            while (out.size() < events && cursor.hasNext()) {
                RecordedEvent e = cursor.next();
                boolean about = session == null
                        || preparer.prepare(e)
                                .session()
                                .filter(s -> s.startsWith(session))
                                .isPresent();
                if (about && e.timeUs() >= us) {
                    out.add(e);
                }
            }
        }
        return out;
    }

    private static Shown shown(RecordedEvent e) {
        JsonNode data;
        try {
            data = e.tombstone() ? NullNode.getInstance() : EventCodec.mapper().readTree(e.data());
        } catch (IOException x) {
            data = EventCodec.mapper().getNodeFactory().binaryNode(e.data());
        }
        return new Shown(
                e.topic().shortName(),
                e.partition(),
                e.offset(),
                e.time(),
                e.id(),
                e.type(),
                e.subject(),
                e.key(),
                e.saltId(),
                data);
    }
}

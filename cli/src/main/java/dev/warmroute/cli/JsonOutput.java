package dev.warmroute.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warmroute.router.event.EventCodec;
import java.io.PrintWriter;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Option;

/** {@code --json}: one object on standard output instead of the text for people. */
final class JsonOutput {
    /** Made when the first answer is to be written, not when the options are read. */
    private static final class Writing {
        private static final ObjectMapper MAPPER =
                EventCodec.mapper().copy().enable(SerializationFeature.INDENT_OUTPUT);
    }

    @Option(names = "--json", description = "Print one JSON object instead of text.")
    private boolean json;

    boolean wanted() {
        return json;
    }

    /** Finds out, in another thread, how answers of a class are written, while the answer itself is being computed. */
    void prepare(Class<?> answer) {
        if (json) {
            CompletableFuture.runAsync(() -> Writing.MAPPER.writerFor(answer));
        }
    }

    void print(Object value, PrintWriter out) {
        try {
            out.println(Writing.MAPPER.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result could not be written as JSON", e);
        }
    }
}

package dev.warmroute.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warmroute.router.event.EventCodec;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** {@code --json}: one object on standard output instead of the text for people. */
final class JsonOutput {
    private static final ObjectMapper MAPPER =
            EventCodec.mapper().copy().enable(SerializationFeature.INDENT_OUTPUT);

    @Option(names = "--json", description = "Print one JSON object instead of text.")
    private boolean json;

    boolean wanted() {
        return json;
    }

    void print(Object value, PrintWriter out) {
        try {
            out.println(MAPPER.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result could not be written as JSON", e);
        }
    }
}

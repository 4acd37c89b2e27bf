package dev.warmroute.export.notebook;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code export.json}: what an export wrote, so that the next one into the same directory can replace it.
 *
 * @param schemaVersion of the tables
 * @param warmroute version that wrote it
 * @param files all of them but this one, relative to the directory, in order
 */
record ExportManifest(
        @JsonProperty("schema_version") long schemaVersion, String warmroute, List<Table> tables, List<String> files) {
    static final String FILE = "export.json";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    ExportManifest {
        tables = List.copyOf(tables);
        files = List.copyOf(files);
    }

    /** A table and the number of its rows. */
    record Table(String name, long rows) {}

    static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(FILE));
    }

    static ExportManifest read(Path directory) {
        try {
            return MAPPER.readValue(directory.resolve(FILE).toFile(), ExportManifest.class);
        } catch (IOException e) {
            throw new UserError(
                    directory.resolve(FILE)
                            + " cannot be read: it is not what an export writes; choose another directory",
                    e);
        }
    }

    ExportManifest withFiles(List<String> others) {
        return new ExportManifest(schemaVersion, warmroute, tables, others);
    }

    String json() {
        try {
            return MAPPER.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the list of an export's files could not be written as JSON", e);
        }
    }
}

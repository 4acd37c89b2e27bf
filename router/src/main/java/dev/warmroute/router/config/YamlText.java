package dev.warmroute.router.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A YAML document before anything is made of it.
 *
 * @param name stands for the file in messages
 */
record YamlText(String name, String text) {
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    static YamlText read(Path file) {
        try {
            return new YamlText(file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new UserError(file + ": there is no such file", e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /**
     * Parses it.
     *
     * @param needed what it needs at least, for the message about an empty one
     */
    JsonNode tree(String needed) {
        try {
            JsonNode root = YAML.readTree(text);
            if (root == null || root.isMissingNode() || root.isNull()) {
                throw new UserError(name + ": is empty; it needs at least " + needed);
            }
            return root;
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            throw new UserError(
                    name + ": " + where + "not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
    }
}

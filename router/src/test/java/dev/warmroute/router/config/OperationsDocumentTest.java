package dev.warmroute.router.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.config.ConfigKey.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of keys in docs/OPERATIONS.md is what {@link ConfigKey} says. */
class OperationsDocumentTest {
    private static final String BEGIN = "<!-- keys -->\n";
    private static final String END = "<!-- /keys -->";

    @Test
    void docsOperationsMdHasEveryKeyWithItsDefault() throws IOException {
        Path document = Path.of(System.getProperty("warmroute.root", ".."), "docs", "OPERATIONS.md");
        String text = Files.readString(document);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        assertThat(from).as("the mark %s", BEGIN.strip()).isGreaterThanOrEqualTo(BEGIN.length());
        if (System.getProperty("update") != null) {
            text = text.substring(0, from) + table() + text.substring(to);
            Files.writeString(document, text);
        }
        assertThat(text.substring(from, text.indexOf(END)))
                .as("run: mvn -pl router test -Dtest=OperationsDocumentTest -Dupdate")
                .isEqualTo(table());
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| key | default | meaning |\n|---|---|---|\n");
        for (ConfigKey key : ConfigKey.values()) {
            if (key.type() != Type.MAP) {
                table.append("| `")
                        .append(key.path())
                        .append("` | ")
                        .append(byDefault(key))
                        .append(" | ");
                table.append(key.meaning().replace("|", "\\|")).append(" |\n");
            }
        }
        return table.toString();
    }

    private static String byDefault(ConfigKey key) {
        if (key.required()) {
            return "required";
        }
        return key.byDefault().isEmpty() ? "" : "`" + key.byDefault() + "`";
    }
}

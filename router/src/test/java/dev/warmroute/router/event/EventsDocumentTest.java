package dev.warmroute.router.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EventsDocumentTest {
    @Test
    void docsEventsMdSaysWhatTheSchemasSay() throws IOException {
        Path document = Path.of(System.getProperty("warmroute.root", ".."), "docs", "EVENTS.md");
        if (System.getProperty("update") != null) {
            Files.writeString(document, EventsDocument.markdown());
        }
        assertThat(document)
                .as("run: mvn -pl router test -Dtest=EventsDocumentTest -Dupdate")
                .hasContent(EventsDocument.markdown());
    }
}

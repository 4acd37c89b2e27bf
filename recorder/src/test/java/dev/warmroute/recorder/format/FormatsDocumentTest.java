package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FormatsDocumentTest {
    @Test
    void docsFormatsMdSaysWhatTheRegistrySays() throws IOException {
        Path document = SharedData.root().resolve("docs").resolve("FORMATS.md");
        if (System.getProperty("update") != null) {
            Files.writeString(document, FormatsDocument.markdown());
        }
        assertThat(document)
                .as("run: mvn -pl recorder test -Dtest=FormatsDocumentTest -Dupdate")
                .hasContent(FormatsDocument.markdown());
    }
}

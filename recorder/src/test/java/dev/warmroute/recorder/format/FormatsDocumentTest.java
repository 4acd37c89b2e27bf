package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
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

    @Test
    void everyExampleReadsAFileThatIsThere() {
        List<String> files = Pattern.compile("data/examples/formats/([^` ]+)")
                .matcher(FormatsDocument.markdown())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(files)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(Samples.file(name)).isRegularFile());
    }
}

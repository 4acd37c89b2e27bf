package dev.warmroute.export.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NotebooksDocumentTest {
    @Test
    void docsNotebooksMdSaysWhatTheSchemasSay() throws IOException {
        Path document = Path.of(System.getProperty("warmroute.root"), "docs", "NOTEBOOKS.md");
        if (System.getProperty("update") != null) {
            Files.writeString(document, NotebooksDocument.markdown());
        }
        assertThat(document)
                .as(
                        "run: mvn -pl notebooks-export -am test -Dtest=NotebooksDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -Dupdate")
                .hasContent(NotebooksDocument.markdown());
    }
}

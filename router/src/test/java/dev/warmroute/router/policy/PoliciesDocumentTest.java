package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PoliciesDocumentTest {
    @Test
    void docsPoliciesMdSaysWhatTheRegistrySays() throws IOException {
        Path document = Path.of(System.getProperty("warmroute.root", ".."), "docs", "POLICIES.md");
        if (System.getProperty("update") != null) {
            Files.writeString(document, PoliciesDocument.markdown());
        }
        assertThat(document)
                .as("run: mvn -pl router test -Dtest=PoliciesDocumentTest -Dupdate")
                .hasContent(PoliciesDocument.markdown());
    }
}

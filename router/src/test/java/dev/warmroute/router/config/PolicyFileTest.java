package dev.warmroute.router.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {
    private static PolicyFile read(String yaml) {
        return PolicyFile.read(new YamlText("policy.yaml", yaml), Map.of("THRESHOLD", "4")::get);
    }

    @Test
    void aPolicyIsWrittenAsInTheRoutersConfigurationOrAlone() {
        PolicyFile expected = new PolicyFile("warden", Map.of("overflow_threshold", "4"));
        assertThat(Stream.of(
                                "policy: {name: warden, overflow_threshold: 4}",
                                "{name: warden, overflow_threshold: 4}",
                                "name: warden\noverflow_threshold: ${THRESHOLD}\n",
                                "{\"policy\": {\"name\": \"warden\", \"overflow_threshold\": 4}}")
                        .map(PolicyFileTest::read))
                .allMatch(expected::equals);
        assertThat(Stream.of("policy: warden", "warden", "name: warden").map(PolicyFileTest::read))
                .allMatch(new PolicyFile("warden", Map.of())::equals);
    }

    /** As in router.yaml, in one line with the path. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            policy: wraden                                | policy: there is no policy 'wraden'; did you mean 'warden'?
            wraden                                        | policy: there is no policy 'wraden'; did you mean 'warden'?
            policy: {name: warden, overflow_thresold: 4}  | policy.overflow_thresold:
            {name: warden, overflow_threshold: 0}         | policy.overflow_threshold:
            {name: warden, overflow_threshold: [4]}       | must be text or a number, not a list
            {overflow_threshold: 4}                       | policy: needs 'name'
            policy: {name: warden, x: 1}                  | has no parameter 'x'
            {policy: warden, affinity: on}                | affinity: does not belong here
            policy: ${UNSET}                              | environment variable UNSET is not set
            [warden]                                      | policy: must be a policy's name, or a map
            policy: [                                     | line 1: not YAML
            ``                                            | is empty; it needs at least a policy's name
            models: [{name: m, policy: warden}]           | a router's whole configuration
            """)
    void whatIsWrongIsNamedWithItsPath(String yaml, String said) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("policy.yaml: ")
                .hasMessageContaining(said);
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> PolicyFile.read(Path.of("/nosuch/policy.yaml")))
                .isInstanceOf(UserError.class)
                .hasMessage("/nosuch/policy.yaml: there is no such file");
    }
}

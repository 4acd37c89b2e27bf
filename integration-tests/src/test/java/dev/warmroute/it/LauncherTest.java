package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bin/warmroute} where its start-up archive has no place to be: the command works and warns of nothing. */
class LauncherTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @ParameterizedTest
    @ValueSource(strings = {"", "HOME=", "HOME=/proc", "WARMROUTE_CACHE=off"})
    void needsNoHomeDirectory(String variable) throws IOException, InterruptedException {
        assumeThat(ROOT.resolve("cli/target/warmroute.jar"))
                .as("the program is packaged")
                .exists();
        ProcessBuilder launcher =
                new ProcessBuilder(ROOT.resolve("bin/warmroute").toString(), "--version");
        Map<String, String> environment = launcher.environment();
        environment.keySet().removeIf(name -> !name.equals("PATH") && !name.equals("JAVA_HOME"));
        int equals = variable.indexOf('=');
        if (equals > 0) {
            environment.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        Process process = launcher.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(err).isEmpty();
        assertThat(out).startsWith("warmroute ");
        assertThat(process.exitValue()).isZero();
    }
}

package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.Turn;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A recording of four real vLLM servers behind the router: what the requests report is what the engines counted. */
class RealFleetRecordingTest {
    private static final Path TRACE = Path.of(System.getProperty("warmroute.root"), "data", "real-vllm-fleet");

    @Test
    void itIsProvenToTheToken() {
        Verification proof = TraceVerifier.verify(Recording.open(TRACE));

        assertThat(proof.differences()).isEmpty();
        assertThat(proof.ok()).isTrue();
        assertThat(proof.decisions()).isEqualTo(192);
        assertThat(proof.checks())
                .filteredOn(c -> c.name().equals("tokens"))
                .singleElement()
                .satisfies(
                        c -> assertThat(c.detail()).doesNotStartWith("0 sums").endsWith("0 differ"));
    }

    @Test
    void everyTurnSaysWhatWasCached() {
        assertThat(TraceSource.read(TRACE.toString()).turns())
                .hasSize(192)
                .allMatch(Turn::hasSession)
                .allMatch(t -> t.recorded().cachedTokens() >= 0)
                .anyMatch(t -> t.recorded().cachedTokens() > 0);
    }
}

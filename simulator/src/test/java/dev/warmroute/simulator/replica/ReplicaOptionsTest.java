package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import org.junit.jupiter.api.Test;

class ReplicaOptionsTest {
    @Test
    void theLongestRequestIsWhatTheCacheHoldsUnlessItIsGiven() {
        ReplicaOptions options = ReplicaOptions.defaults();
        assertThat(options.maxModelLen()).isEqualTo(131_072);
        assertThat(options.withCache(301, 16).maxModelLen()).isEqualTo(4_800);
        assertThat(options.withCache(301, 16).withMaxModelLen(1000).maxModelLen())
                .isEqualTo(1000);
    }

    @Test
    void aWrongOptionIsNamedWithWhatWasExpected() {
        ReplicaOptions options = ReplicaOptions.defaults();
        assertThatThrownBy(() -> options.withPort(70_000))
                .isInstanceOf(UserError.class)
                .hasMessage("--port 70000: expected 0 to 65535 (0 = any free port)");
        assertThatThrownBy(() -> options.withSpeed(0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--speed 0.0");
        assertThatThrownBy(() -> options.withCache(1, 16))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--num-gpu-blocks-override 1");
        assertThatThrownBy(() -> options.withCache(301, 16).withMaxModelLen(4_801))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("at most the 4800 tokens that the cache holds");
    }

    @Test
    void aPortInUseIsSaidInOneLine() {
        try (StandInReplica first =
                StandInReplica.start(ReplicaOptions.defaults().withPort(0))) {
            assertThatThrownBy(
                            () -> StandInReplica.start(ReplicaOptions.defaults().withPort(first.port())))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + first.port());
        }
    }
}

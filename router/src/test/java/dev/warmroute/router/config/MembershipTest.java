package dev.warmroute.router.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final ReplicaConfig A = ReplicaConfig.of("a", "http://127.0.0.1:1");
    private static final ReplicaConfig B = ReplicaConfig.of("b", "http://127.0.0.1:2");

    private final Membership start = Membership.of(RouterConfig.parse(
                    "f",
                    "models:\n  - {name: m, replicas: [{id: a, url: 'http://127.0.0.1:1'}]}\n"
                            + "  - {name: n, replicas: [{id: c, url: 'http://127.0.0.1:3'}]}\n")
            .models());

    private static List<String> ids(Membership membership, String model) {
        return membership.models().get(model).stream()
                .map(m -> m.replica().id())
                .toList();
    }

    @Test
    void replicasComeAtTheEndAndGoAndTheFormerMembershipStaysAsItWas() {
        Membership more = start.with("m", B);
        assertThat(ids(more, "m")).containsExactly("a", "b");
        assertThat(ids(more, "n")).containsExactly("c");
        assertThat(ids(more.without("a"), "m")).containsExactly("b");
        assertThat(ids(start, "m")).containsExactly("a");
        assertThat(more.models().keySet()).containsExactly("m", "n");
    }

    @Test
    void drainingIsAStateThatCanBeTakenBack() {
        Membership draining = start.with("m", B).draining("a", Duration.ofMinutes(3));
        assertThat(draining.models().get("m"))
                .extracting(Membership.Member::draining)
                .containsExactly(true, false);
        assertThat(draining.serving("a")).isEqualTo(start.with("m", B));
    }

    @Test
    void whatAConfigurationCouldNotSayIsRefusedWithWhatToDo() {
        assertRefused(
                () -> start.with("m", ReplicaConfig.of("c", "http://127.0.0.1:9")), "'c' already", "choose another id");
        assertRefused(() -> start.with("m", ReplicaConfig.of("d", "http://127.0.0.1:1")), "is already replica 'a'");
        assertRefused(() -> start.with("x", B), "no model 'x'", "m, n");
        assertRefused(() -> start.without("a"), "last one of model 'm'");
        assertRefused(() -> start.without("z"), "no replica 'z'", "a, c");
        assertRefused(() -> start.draining("z", Duration.ZERO), "no replica 'z'");
        assertRefused(() -> start.draining("a", Duration.ofSeconds(-1)), "must not be negative");
        assertRefused(() -> ReplicaConfig.of("a b", "http://h"), "'a b' must have 1 to 64 letters");
        assertRefused(() -> ReplicaConfig.of("a", "ftp://h"), "must be a URL", "ftp://h");
        assertRefused(
                () -> ReplicaConfig.of("a", "http://h", OptionalInt.empty(), Optional.of("k\n")),
                "api_key",
                "no header may have");
        ReplicaConfig rank = ReplicaConfig.of("d", "http://127.0.0.1:1", OptionalInt.of(1), Optional.empty());
        assertThat(ids(start.with("m", rank), "m")).containsExactly("a", "d");
        assertThat(start.has(A.id())).isTrue();
    }

    private static void assertRefused(Runnable change, String... says) {
        assertThatThrownBy(change::run).isInstanceOf(UserError.class).hasMessageContainingAll(says);
    }
}

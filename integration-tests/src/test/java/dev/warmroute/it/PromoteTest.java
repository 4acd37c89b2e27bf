package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.cli.Main;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent.PolicyChanged;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.simulator.admin.RouterAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate in front of a live router: from a recording of its traffic to a policy that decides, and back. */
class PromoteTest {
    private static final EventCodec CODEC = new EventCodec();
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private record Ran(int code, String out, String err) {
        JsonNode json() throws IOException {
            return JSON.readTree(out);
        }
    }

    private static Ran run(List<String> args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
        return new Ran(code, out.toString(), err.toString());
    }

    private static Ran promote(LiveRouter router, Path token, String... args) {
        List<String> all = new ArrayList<>(List.of(
                "promote",
                "--router",
                "http://127.0.0.1:" + router.server().adminPort(),
                "--token-file",
                token.toString(),
                "--json"));
        all.addAll(List.of(args));
        return run(all);
    }

    /**
     * A turn stays where the one before went: never nearly always at random, always under warden with room enough. Nothing here
     * hangs on how fast the machine was while it was recorded; so little traffic on so busy a machine need not be replayed exactly.
     */
    private String[] checked(String policy, String trace) throws IOException {
        Path file = Files.writeString(directory.resolve(policy.replaceAll("[^a-z]+", "-") + ".yaml"), policy);
        return new String[] {
            file.toString(),
            "--trace",
            trace,
            "--assert",
            "stayed>=90%",
            "--assert",
            "stayed>=baseline-1pp",
            "--accept-unfaithful"
        };
    }

    private static String inForce(LiveRouter router) {
        return router.server().status().models().get(0).policy().name();
    }

    @Test
    void aBadPolicyNeverReachesTheRouterAGoodOneDoesAndRollbackReturns() throws Exception {
        String trace = directory.resolve("trace").toString();
        Path token = Files.writeString(directory.resolve("token"), Machine.TOKEN + "\n");
        Path wrongToken = Files.writeString(directory.resolve("wrong"), "another");
        String hash;
        Recording after;
        try (Machine machine = new Machine(directory)) {
            try (LiveRouter router = machine.router("round_robin", 100_000)) {
                Machine.drive(router, "before");
            }
            machine.record(Path.of(trace));
            try (LiveRouter router = machine.router("round_robin", 100_000)) {
                Ran bad = promote(router, token, checked("policy: random", trace));
                assertThat(bad.code()).as(bad.err() + bad.out()).isEqualTo(3);
                assertThat(bad.json().path("step").asText()).isEqualTo("not_passed");
                assertThat(inForce(router)).isEqualTo("round_robin");

                String[] good = checked("{name: warden, overflow_threshold: 1000}", trace);
                for (Ran refused : List.of(
                        promote(router, wrongToken, good),
                        promote(router, token, append(good, "--router-model", "nosuch")),
                        promote(router, token, "--rollback"))) {
                    assertThat(refused.code()).as(refused.err()).isEqualTo(1);
                    assertThat(refused.err().lines())
                            .hasSize(1)
                            .allMatch(l ->
                                    l.contains("401") || l.contains("'nosuch'") || l.contains("nothing to take back"));
                }
                assertThat(promote(router, token, append(good, "--dry-run"))
                                .json()
                                .path("step")
                                .asText())
                        .isEqualTo("would_promote");
                assertThat(inForce(router)).isEqualTo("round_robin");

                String left = router.server().status().models().get(0).inForce();
                Ran handedOver = promote(router, token, good);
                assertThat(handedOver.code())
                        .as(handedOver.err() + handedOver.out())
                        .isZero();
                hash = handedOver.json().path("check").path("hash").asText();
                assertThat(hash).matches("[0-9a-f]{64}");
                assertThat(inForce(router)).isEqualTo("warden");
                assertMeantForSomethingElse(router, left, hash);
                Machine.drive(router, "promoted");

                Ran back = promote(router, token, "--rollback");
                assertThat(back.code()).as(back.err()).isZero();
                assertThat(back.json().path("after").asText()).isEqualTo("round_robin");
                assertThat(inForce(router)).isEqualTo("round_robin");
            }
            after = machine.record(directory.resolve("after"));
        }
        assertThat(changes(after))
                .containsExactly("promote round_robin->warden " + hash, "rollback warden->round_robin -");
        assertThat(deciding(after)).containsExactly("round_robin", "warden");
        assertThat(TraceVerifier.verify(after).differences()).isEmpty();
    }

    /** What another operator meant for what was in force before. */
    private static void assertMeantForSomethingElse(LiveRouter router, String left, String hash) {
        String address = "http://127.0.0.1:" + router.server().adminPort();
        try (RouterAdmin other = RouterAdmin.ofItsModel(address, Machine.TOKEN)) {
            for (ThrowingCallable late : List.<ThrowingCallable>of(
                    () -> other.promote("random", Map.of(), hash, left), () -> other.rollBack(left))) {
                assertThatThrownBy(late)
                        .isInstanceOf(UserError.class)
                        .hasMessageContainingAll("409", "warden decides", "check again");
            }
        }
        assertThat(inForce(router)).isEqualTo("warden");
    }

    private static String[] append(String[] args, String... more) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static List<String> changes(Recording recording) {
        List<String> changes = new ArrayList<>();
        try (EventCursor control = recording.events(Topic.CONTROL)) {
            while (control.hasNext()) {
                if (control.next().event(CODEC) instanceof PolicyChanged c) {
                    changes.add(c.by() + ' ' + c.before().name() + "->"
                            + c.after().name() + ' ' + c.checkHash().orElse("-"));
                }
            }
        }
        return changes;
    }

    /** The policies that decided, in their order. */
    private static List<String> deciding(Recording recording) {
        List<String> names = new ArrayList<>();
        try (EventCursor decisions = recording.merged(List.of(Topic.DECISIONS))) {
            while (decisions.hasNext()) {
                String name = ((RoutingDecision) decisions.next().event(CODEC))
                        .policy()
                        .name();
                if (names.isEmpty() || !names.getLast().equals(name)) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}

package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class ByteIdentityTest {
    private static byte[] answer;
    private static long cuts;
    private static ScriptedReplica replica;
    private static RunningRouter router;

    @BeforeContainer
    static void start() {
        replica = new ScriptedReplica((request, connection) -> {
            SplittableRandom random = new SplittableRandom(cuts);
            for (int i = 0; i < answer.length; ) {
                int n = Math.min(answer.length - i, 1 + random.nextInt(random.nextInt(4) == 0 ? 3 : 400));
                byte[] piece = new byte[n];
                System.arraycopy(answer, i, piece, 0, n);
                connection.send(piece);
                i += n;
            }
        });
        router = RunningRouter.inFrontOf(replica);
    }

    @AfterContainer
    static void stop() {
        router.close();
        replica.close();
    }

    @Provide
    Arbitrary<String> events() {
        return Arbitraries.of(
                "data: {\"a\":\"\u00e9\u4e16\uD83D\uDE00\"}\n\n",
                ": ping\r\n\r\n",
                "event: x\ndata:1\ndata: 2\n\n",
                "data: [DONE]\n\n",
                "\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n",
                "data: {\"usage\":{\"prompt_tokens\":3}}\n\n",
                "\n",
                "0",
                "data: " + "x".repeat(5_000) + "\n\n");
    }

    @Property(tries = 80)
    void aStreamArrivesByteForByteHoweverItIsCut(
            @ForAll @Size(max = 12) List<@From("events") String> events, @ForAll long seed) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ScriptedReplica.STREAM_HEAD.getBytes(StandardCharsets.UTF_8));
        SplittableRandom random = new SplittableRandom(seed);
        for (String event : events) {
            byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < bytes.length; ) {
                int n = Math.min(bytes.length - i, 1 + random.nextInt(bytes.length));
                out.writeBytes((Integer.toHexString(n) + (random.nextBoolean() ? ";x=\"y\"" : "") + "\r\n")
                        .getBytes(StandardCharsets.UTF_8));
                out.write(bytes, i, n);
                out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
                i += n;
            }
        }
        out.writeBytes(
                (random.nextBoolean() ? "0\r\n\r\n" : "0\r\nx-checksum: 1\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        answer = out.toByteArray();
        cuts = seed;
        try (RawClient client = router.client()) {
            for (int turn = 0; turn < 2; turn++) {
                client.post("/v1/chat/completions", "{\"model\":\"m\",\"stream\":true}");
                assertThat(client.answer().raw()).isEqualTo(answer);
            }
        }
        assertThat(replica.failures()).isEmpty();
    }

    @Property(tries = 60)
    void aRequestArrivesByteForByteHoweverItIsCut(
            @ForAll @Size(max = 40) List<@From("events") String> parts, @ForAll long seed) throws Exception {
        answer = "HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        while (replica.requestsWaiting() > 0) {
            replica.take();
        }
        String json = new ObjectMapper().writeValueAsString(String.join("", parts));
        byte[] body = ("{\"text\":" + json + ",\"model\":\"m\"}").getBytes(StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(seed);
        boolean chunked = random.nextBoolean();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("POST /v1/completions HTTP/1.1\r\nHost: x\r\n"
                        + (chunked
                                ? "Transfer-Encoding: chunked\r\n\r\n"
                                : "Content-Length: " + body.length + "\r\n\r\n"))
                .getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < body.length; ) {
            int n = Math.min(body.length - i, 1 + random.nextInt(chunked ? 3_000 : body.length));
            if (chunked) {
                out.writeBytes((Integer.toHexString(n) + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
            out.write(body, i, n);
            if (chunked) {
                out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
            }
            i += n;
        }
        if (chunked) {
            out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        }
        byte[] request = out.toByteArray();
        try (RawClient client = router.client()) {
            for (int i = 0; i < request.length; ) {
                int n = Math.min(request.length - i, 1 + random.nextInt(2_000));
                byte[] piece = new byte[n];
                System.arraycopy(request, i, piece, 0, n);
                client.send(piece);
                i += n;
            }
            assertThat(client.answer().status()).isEqualTo(204);
        }
        assertThat(replica.take().body()).isEqualTo(body);
    }
}

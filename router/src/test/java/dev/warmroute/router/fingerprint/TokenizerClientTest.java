package dev.warmroute.router.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenizerClientTest {
    private static final byte[] BODY =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}".getBytes(UTF_8);

    /** Reads one request from a connection. */
    private static void read(BufferedReader in) throws IOException {
        int length = 0;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).trim());
            }
        }
        in.skip(length);
    }

    private static void answer(Socket connection) throws IOException {
        byte[] body = "{\"tokens\":[1,2,3]}".getBytes(UTF_8);
        connection
                .getOutputStream()
                .write(("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + body.length
                                + "\r\n\r\n")
                        .getBytes(UTF_8));
        connection.getOutputStream().write(body);
        connection.getOutputStream().flush();
    }

    private static BufferedReader reader(Socket connection) throws IOException {
        return new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8));
    }

    /** Servers close idle connections after some seconds; a request may cross that on its way. */
    @Test
    void aRequestThatMeetsTheEndOfItsConnectionIsSentAgain() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> served = threads.submit(() -> {
                try (Socket first = server.accept()) {
                    BufferedReader in = reader(first);
                    read(in);
                    answer(first);
                    read(in); // and closes instead of answering
                }
                try (Socket second = server.accept()) {
                    read(reader(second));
                    answer(second);
                }
                return true;
            });
            TokenizerClient client = new TokenizerClient();
            String url = "http://127.0.0.1:" + server.getLocalPort();
            Question question = Question.about("/v1/chat/completions", BODY).orElseThrow();
            for (int i : List.of(1, 2)) {
                Optional<long[]> ids =
                        client.tokens(url, Optional.empty(), question, BODY).get(20, TimeUnit.SECONDS);
                assertThat(ids)
                        .as("request " + i)
                        .hasValueSatisfying(t -> assertThat(t).containsExactly(1, 2, 3));
            }
            served.get(20, TimeUnit.SECONDS);
            assertThat(client.unanswered()).isZero();
        }
    }
}

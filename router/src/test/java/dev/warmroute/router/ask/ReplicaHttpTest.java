package dev.warmroute.router.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaHttpTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n";
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ReplicaHttp http = new ReplicaHttp(Duration.ofSeconds(20));
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        http.close();
        server.close();
        threads.shutdownNow();
    }

    private CompletableFuture<HttpResponse<byte[]>> ask(Duration atMost) {
        URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
        return http.send(HttpRequest.newBuilder(uri).GET().build(), atMost);
    }

    /** Takes one connection, reads the head of a request and begins an answer. */
    private Socket begun() throws IOException {
        Socket connection = server.accept();
        BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8));
        String line = in.readLine();
        while (line != null && !line.isEmpty()) {
            line = in.readLine();
        }
        connection.getOutputStream().write(HEAD.getBytes(UTF_8));
        connection.getOutputStream().flush();
        return connection;
    }

    /** Whether the other side has ended a connection, as soon as it has. */
    private static boolean ended(Socket connection) {
        try (connection) {
            return connection.getInputStream().read() < 0;
        } catch (IOException e) {
            return true; // it was reset
        }
    }

    @Test
    void anAnswerThatStopsBehindItsHeadIsNotInTimeAndItsConnectionIsClosed() throws Exception {
        Future<Boolean> ended = threads.submit(() -> ended(begun()));
        assertThatThrownBy(() -> ask(Duration.ofMillis(300)).get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(HttpTimeoutException.class);
        server.close(); // where the time was over before there was a connection
        try {
            assertThat(ended.get(20, TimeUnit.SECONDS)).isTrue();
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void aQuestionThatIsCancelledClosesItsConnection() throws Exception {
        Future<Socket> begun = threads.submit(this::begun);
        CompletableFuture<HttpResponse<byte[]>> answer = ask(LONG);
        Socket connection = begun.get(20, TimeUnit.SECONDS);
        answer.cancel(true);
        assertThat(threads.submit(() -> ended(connection)).get(20, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void anAnswerWithoutEndIsRefused() throws Exception {
        threads.submit(() -> {
            try (Socket connection = begun()) {
                OutputStream out = connection.getOutputStream();
                byte[] piece = new byte[1 << 16];
                while (!Thread.interrupted()) {
                    out.write(piece); // fails when the other side has had enough
                }
            }
            return true;
        });
        assertThatThrownBy(() -> ask(LONG).get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(AnswerTooLarge.class);
    }
}

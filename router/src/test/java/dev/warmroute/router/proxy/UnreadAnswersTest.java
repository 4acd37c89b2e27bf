package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.session.Salt;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client does not read is not kept for it here, counted in bytes of the router's buffers. */
class UnreadAnswersTest {
    /** 64 KiB wait to be written before reading stops; then a piece, and half a buffer of the allocator's for each. */
    private static final long ENOUGH_FOR_ONE = 512 * 1024;

    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);

    static Stream<Boolean> epoll() {
        return Epoll.isAvailable() ? Stream.of(true, false) : Stream.of(false);
    }

    private ProxyServer proxy(boolean epoll, ScriptedReplica replica) {
        ProxyServer proxy = new ProxyServer(
                RouterConfig.parse(
                        "test",
                        "listen: 127.0.0.1:0\nmodels:\n  - name: m\n    replicas:\n      - {id: r0, url: '"
                                + replica.url() + "'}\n"),
                RouterServices.of(new MemorySink(), new Salt(new byte[32])).withEventLoops(1),
                Transport.of(epoll, buffers));
        proxy.listen(new Address("127.0.0.1", 0));
        return proxy;
    }

    private long buffered() {
        return buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory();
    }

    @ParameterizedTest(name = "epoll: {0}")
    @MethodSource("epoll")
    void anAnswerThatNobodyReadsWaitsAtTheReplica(boolean epoll) throws Exception {
        long total = 64L << 20;
        byte[] block = new byte[1 << 16];
        AtomicLong sent = new AtomicLong();
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    connection.send("HTTP/1.1 200 OK\r\ncontent-length: " + total + "\r\n\r\n");
                    for (long n = 0; n < total; n += block.length) {
                        connection.send(block);
                        sent.addAndGet(block.length);
                    }
                });
                ProxyServer proxy = proxy(epoll, replica);
                RawClient client = new RawClient(proxy.port())) {
            client.post("/v1/chat/completions", "{\"model\":\"m\"}");
            client.head();
            AtomicLong before = new AtomicLong(-1);
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> sent.get() > 0 && before.getAndSet(sent.get()) == sent.get());
            assertThat(sent.get()).isLessThan(total / 2);
            assertThat(buffered()).isLessThan(ENOUGH_FOR_ONE);
            for (long read = 0; read < total; ) {
                read += client.read(total - read);
            }
            assertThat(sent.get()).isEqualTo(total);
        }
    }

    @ParameterizedTest(name = "epoll: {0}")
    @MethodSource("epoll")
    void answersMadeHereWaitForTheClientToReadThem(boolean epoll) throws Exception {
        int requests = 200_000;
        byte[] question = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        AtomicInteger asked = new AtomicInteger();
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                ProxyServer proxy = proxy(epoll, replica);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                RawClient client = new RawClient(socket)) {
            Thread asks = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < requests; i++) {
                        socket.getOutputStream().write(question);
                        asked.incrementAndGet();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            AtomicInteger before = new AtomicInteger(-1);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> asked.get() > 0 && before.getAndSet(asked.get()) == asked.get());
            assertThat(asked.get()).as("held back").isLessThan(requests);
            assertThat(buffered()).isLessThan(ENOUGH_FOR_ONE);
            for (int i = 0; i < requests; i++) {
                assertThat(client.answer().status()).isEqualTo(200);
            }
            asks.join();
            assertThat(asked.get()).isEqualTo(requests);
        }
    }
}

package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.session.Salt;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private Path dir;

    private SSLContext server;
    private SSLContext trusting;

    @BeforeEach
    void makeACertificate() throws Exception {
        Path store = dir.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("cert.pem", "CERTIFICATE", keys.getCertificate("a").getEncoded());
        pem("key.pem", "PRIVATE KEY", keys.getKey("a", PASSWORD).getEncoded());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        server = SSLContext.getInstance("TLS");
        server.init(managers.getKeyManagers(), null, null);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    }

    private void pem(String file, String kind, byte[] der) throws Exception {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(
                dir.resolve(file), "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    private String config(String replicaUrl) {
        return "tls: {cert: '" + dir.resolve("cert.pem") + "', key: '" + dir.resolve("key.pem") + "'}\n"
                + "models: [{name: m, replicas: [{id: r0, url: '" + replicaUrl + "'}]}]\n";
    }

    private static ProxyServer proxy(String config, MemorySink sink, Transport transport) {
        return new ProxyServer(
                RouterConfig.parse("tls", config),
                RouterServices.of(sink, new Salt(new byte[32])).withEventLoops(1),
                transport);
    }

    @Test
    void bothSidesCanBeEncrypted() throws Exception {
        String stream = ScriptedReplica.STREAM_HEAD + "9\r\ndata: a\n\n\r\n0\r\n\r\n";
        MemorySink sink = new MemorySink();
        Transport transport = new Transport(
                false,
                new UnpooledByteBufAllocator(true),
                SslContextBuilder.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .build());
        try (ScriptedReplica replica = new ScriptedReplica(
                        server.getServerSocketFactory(), 0, (request, connection) -> connection.send(stream));
                ProxyServer proxy = proxy(config("https://127.0.0.1:" + replica.port()), sink, transport)) {
            proxy.listen(new Address("127.0.0.1", 0));
            try (RawClient client =
                    new RawClient(trusting.getSocketFactory().createSocket("127.0.0.1", proxy.port()))) {
                for (int i = 0; i < 3; i++) {
                    String body = "{\"model\":\"m\",\"x\":\"" + "y".repeat(300_000) + "\"}";
                    client.post("/v1/chat/completions", body);
                    assertThat(new String(client.answer().raw())).isEqualTo(stream);
                    assertThat(replica.take().text()).isEqualTo(body);
                }
            }
            assertThat(sink.all(RequestCompleted.class)).hasSize(3).allMatch(c -> c.endedBy() == EndedBy.FINISHED);
        }
    }

    @Test
    void aReplicaWhoseCertificateIsNotTrustedCannotBeReached() throws Exception {
        MemorySink sink = new MemorySink();
        try (ScriptedReplica replica = new ScriptedReplica(
                        server.getServerSocketFactory(), 0, (request, connection) -> connection.send("x"));
                ProxyServer proxy = proxy(config("https://127.0.0.1:" + replica.port()), sink, Transport.best())) {
            proxy.listen(new Address("127.0.0.1", 0));
            try (RawClient client =
                    new RawClient(trusting.getSocketFactory().createSocket("127.0.0.1", proxy.port()))) {
                client.post("/v1/chat/completions", "{\"model\":\"m\"}");
                assertThat(client.answer().status()).isEqualTo(503);
            }
        }
    }

    @Test
    void aReplicaThatNeverShakesHandsIsGivenUpLikeOneThatCannotBeReached() throws Exception {
        MemorySink sink = new MemorySink();
        try (ScriptedReplica silent = new ScriptedReplica((request, connection) -> connection.awaitGone());
                ProxyServer proxy = proxy(
                        config("https://127.0.0.1:" + silent.port()) + "limits: {connect: 200ms}\n",
                        sink,
                        Transport.best())) {
            proxy.listen(new Address("127.0.0.1", 0));
            try (RawClient client =
                    new RawClient(trusting.getSocketFactory().createSocket("127.0.0.1", proxy.port()))) {
                client.post("/v1/chat/completions", "{\"model\":\"m\"}");
                RawClient.Answer answer = client.answer();
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.text()).contains("cannot be reached");
            }
        }
    }

    @Test
    void aKeyThatIsNoneIsRefusedInOneLine() throws Exception {
        Files.writeString(dir.resolve("key.pem"), "nothing");
        assertThatThrownBy(() -> proxy(config("http://127.0.0.1:9"), new MemorySink(), Transport.best()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("tls: certificate and key cannot be used");
    }
}

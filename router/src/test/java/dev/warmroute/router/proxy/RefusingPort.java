package dev.warmroute.router.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of loopback that refuses connections. It stays bound until it is closed: a port that was only found free is
 * given to the next who asks for any, which may be the very router under test.
 */
final class RefusingPort implements AutoCloseable {
    private final Socket bound = new Socket();

    RefusingPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    int port() {
        return bound.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** From here on somebody else can listen there. */
    void release() throws IOException {
        bound.close();
    }

    @Override
    public void close() throws IOException {
        release();
    }
}

package dev.warmroute.router.proxy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client on a plain socket, which sees every byte. */
final class RawClient implements AutoCloseable {
    /**
     * An answer.
     *
     * @param raw all its bytes, head and framing included
     * @param body its content, without chunk framing
     */
    record Answer(int status, String head, byte[] raw, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        boolean hasHeader(String line) {
            return ("\r\n" + head).toLowerCase(Locale.ROOT).contains("\r\n" + line.toLowerCase(Locale.ROOT) + "\r\n");
        }
    }

    private final Socket socket;
    private final InputStream in;
    private volatile long read;
    private long readBefore = -1;
    private ByteArrayOutputStream raw = new ByteArrayOutputStream();

    RawClient(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    RawClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(15_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawClient send(String bytes) throws IOException {
        return send(bytes.getBytes(StandardCharsets.UTF_8));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    RawClient post(String path, String body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: router\r\n");
        for (String h : headers) {
            head.append(h).append("\r\n");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return send(head + "Content-Length: " + bytes.length + "\r\n\r\n").send(bytes);
    }

    /** Whether the connection has ended, and not in the middle of anything; waits for the next byte or the end. */
    boolean atEnd() throws IOException {
        in.mark(1);
        boolean end = in.read() < 0;
        in.reset();
        return end;
    }

    /** Reads a whole answer. */
    Answer answer() throws IOException {
        return answer(false);
    }

    Answer answer(boolean toHead) throws IOException {
        raw = new ByteArrayOutputStream();
        String head = head();
        String lower = head.toLowerCase(Locale.ROOT);
        int status = Integer.parseInt(head.substring(9, 12));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (toHead || status < 200 || status == 204 || status == 304) {
            return new Answer(status, head, raw.toByteArray(), new byte[0]);
        }
        if (lower.contains("\r\ntransfer-encoding: chunked\r\n")) {
            chunks(body);
        } else if (lower.contains("\r\ncontent-length: ")) {
            int at = lower.indexOf("\r\ncontent-length: ") + 18;
            take(Integer.parseInt(lower.substring(at, lower.indexOf("\r\n", at))), body);
        } else {
            body.write(rest());
        }
        return new Answer(status, head, raw.toByteArray(), body.toByteArray());
    }

    /** Content of a chunked answer whose head has been read. */
    String answerRest() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        chunks(body);
        return body.toString(StandardCharsets.UTF_8);
    }

    String head() throws IOException {
        int last4 = 0;
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (last4 != 0x0d0a0d0a) {
            int b = next();
            head.write(b);
            last4 = last4 << 8 | b;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private void chunks(ByteArrayOutputStream body) throws IOException {
        while (true) {
            int size = Integer.parseInt(line().split(";")[0].strip(), 16);
            if (size == 0) {
                while (!line().isEmpty()) {
                    // trailers
                }
                return;
            }
            take(size, body);
            line();
        }
    }

    /** One line, without its end. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int b;
        while ((b = next()) != '\n') {
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    private void take(int n, ByteArrayOutputStream to) throws IOException {
        for (int i = 0; i < n; i++) {
            to.write(next());
        }
    }

    private int next() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException(
                    "the connection ended in the middle of an answer: " + raw.toString(StandardCharsets.UTF_8));
        }
        raw.write(b);
        read++;
        return b;
    }

    /** Everything up to the end of the connection. */
    byte[] rest() throws IOException {
        byte[] bytes = in.readAllBytes();
        raw.write(bytes);
        return bytes;
    }

    /** Reads over some bytes, at most {@code max}; returns how many. */
    long read(long max) throws IOException {
        int n = in.read(new byte[1 << 16], 0, (int) Math.min(max, 1 << 16));
        if (n < 0) {
            throw new EOFException();
        }
        return n;
    }

    /** Whether nothing has been read since this was asked last. */
    boolean quiet() {
        long before = readBefore;
        readBefore = read;
        return before == read;
    }

    /** Longest wait for a byte, in milliseconds. */
    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Whether the server has closed the connection; waits for it. */
    boolean ended() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

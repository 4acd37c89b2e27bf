package dev.warmroute.simulator.replica;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/1.1 answer taken apart as it stood on the wire: from a recording, or from a socket. */
record RawAnswer(String statusLine, Map<String, String> headers, List<String> chunks, String body) {

    static RawAnswer recorded(String name) {
        try (InputStream in = RawAnswer.class.getResourceAsStream("wire/" + name + ".http")) {
            return read(in, name.startsWith("head-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RawAnswer ask(int port, String method, String path, String body, String... headers) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(30_000);
            send(socket.getOutputStream(), method, path, body, headers);
            return read(new BufferedInputStream(socket.getInputStream()), method.equals("HEAD"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void send(OutputStream out, String method, String path, String body, String... headers) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(method + ' ' + path + " HTTP/1.1\r\nhost: test\r\n");
        if (!method.equals("GET") && !method.equals("HEAD")) {
            head.append("content-type: application/json\r\ncontent-length: ")
                    .append(bytes.length)
                    .append("\r\n");
        }
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        out.write(bytes);
        out.flush();
    }

    /** Reads one answer; a chunked one keeps its chunks. */
    private static RawAnswer read(InputStream in, boolean headOnly) throws IOException {
        InputStream source = in.markSupported() ? in : new ByteArrayInputStream(in.readAllBytes());
        String status = line(source);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(source); !line.isEmpty(); line = line(source)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        List<String> chunks = new ArrayList<>();
        if (!headOnly && headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            for (int size = Integer.parseInt(line(source), 16); size > 0; size = Integer.parseInt(line(source), 16)) {
                chunks.add(new String(source.readNBytes(size), StandardCharsets.UTF_8));
                line(source);
            }
        } else if (!headOnly) {
            int length = Integer.parseInt(headers.get("content-length"));
            chunks.add(new String(source.readNBytes(length), StandardCharsets.UTF_8));
        }
        return new RawAnswer(status, headers, chunks, String.join("", chunks));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the answer ends within its head: " + line);
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }
}

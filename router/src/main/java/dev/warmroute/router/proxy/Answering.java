package dev.warmroute.router.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Answers that the router makes itself. */
final class Answering {
    private static final byte[] GO_ON = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Answering() {}

    /** What a client waits for that asked before it sends its body. */
    static ByteBuf goOn() {
        return Unpooled.wrappedBuffer(GO_ON);
    }

    /**
     * A whole answer.
     *
     * @param extra further header lines, each with its CRLF
     * @param head whether a HEAD request is answered: the body's length is told, the body left out
     */
    static ByteBuf answer(
            ByteBufAllocator alloc,
            int status,
            String contentType,
            byte[] body,
            String extra,
            boolean keepAlive,
            boolean head) {
        String lines = "HTTP/1.1 " + status + ' ' + reason(status) + "\r\ncontent-type: " + contentType
                + "\r\ncontent-length: " + body.length + "\r\n" + extra + (keepAlive ? "" : "connection: close\r\n")
                + "\r\n";
        ByteBuf out = alloc.buffer(lines.length() + body.length);
        out.writeCharSequence(lines, StandardCharsets.ISO_8859_1);
        return head ? out : out.writeBytes(body);
    }

    /** An error in the client's dialect; one that will pass says when to come back. */
    static ByteBuf error(
            ByteBufAllocator alloc, Dialect dialect, int status, String message, boolean keepAlive, boolean head) {
        boolean passes = status == 503 || status == 529;
        String retry = passes ? "retry-after: 1\r\n" : "";
        return answer(alloc, status, "application/json", dialect.errorBody(status, message), retry, keepAlive, head);
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 431 -> "Request Header Fields Too Large";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            case 529 -> "Overloaded";
            default -> "Error";
        };
    }
}

package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.AnswerHead;
import dev.warmroute.router.proxy.http.AnswerHead.Framing;
import dev.warmroute.router.proxy.http.RequestHead;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** How one answer goes out to its client: untouched where the client's connection allows it. */
final class AnswerForClient {
    private final AnswerHead head;
    private final boolean dechunked;
    private final boolean clientKeepsAlive;
    private final String connection;
    /** The last four bytes of content, the newest lowest; they tell whether an event has just ended. */
    private int lastBytes = '\n' << 8 | '\n';

    AnswerForClient(AnswerHead head, RequestHead request, boolean draining) {
        this.head = head;
        dechunked = request.http10() && head.framing() == Framing.CHUNKED;
        clientKeepsAlive = request.keepAlive() && !draining && !dechunked && head.framing() != Framing.UNTIL_CLOSE;
        connection = !clientKeepsAlive ? "close" : request.http10() ? "keep-alive" : "";
    }

    int status() {
        return head.status();
    }

    boolean dechunked() {
        return dechunked;
    }

    boolean clientKeepsAlive() {
        return clientKeepsAlive;
    }

    boolean replicaKeepsAlive() {
        return head.keepAlive();
    }

    /** Whether the head may go out as it came. */
    boolean headUntouched() {
        return connection.isEmpty() && !dechunked && !head.hasConnectionFields();
    }

    /** Writes the head where it must be changed; returns false where it goes out as it came. */
    boolean writeHead(ClientConnection client) {
        if (headUntouched()) {
            return false;
        }
        client.write(client.buffer(head.rewritten(dechunked, connection)));
        return true;
    }

    void sawContent(ByteBuf piece, int index, int length) {
        for (int i = Math.max(0, length - 4); i < length; i++) {
            lastBytes = lastBytes << 8 | piece.getByte(index + i) & 0xff;
        }
    }

    /**
     * What to send when the replica has failed in the middle: an error event in a stream, if it can be put in without
     * mangling what was sent; nothing otherwise.
     *
     * @param betweenChunks whether a chunk may begin here
     */
    ByteBuf lastWords(ClientConnection client, Dialect dialect, int status, String message, boolean betweenChunks) {
        boolean lineEnded = (lastBytes & 0xff) == '\n';
        boolean framed = head.framing() == Framing.CHUNKED && !dechunked;
        if (!head.isEventStream() || head.encoded() || !lineEnded || framed && !betweenChunks) {
            return client.buffer(new byte[0]);
        }
        boolean eventEnded = (lastBytes & 0xffff) == ('\n' << 8 | '\n') || lastBytes == 0x0d0a0d0a;
        byte[] event = ((eventEnded ? "" : "\n") + dialect.event(status, message)).getBytes(StandardCharsets.UTF_8);
        if (!framed) {
            return client.buffer(event);
        }
        byte[] size = (Integer.toHexString(event.length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return client.buffer(size).writeBytes(event).writeBytes(new byte[] {'\r', '\n'});
    }
}

package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;

/** Writes a client's head for a replica: its lines as they came, with the replica's host, framing and key. */
final class RequestWriter {
    private RequestWriter() {}

    /** @param bodyLength length of the body in bytes */
    static ByteBuf head(ByteBufAllocator alloc, RequestHead head, Replica replica, int bodyLength) {
        ByteBuf out = alloc.buffer(512);
        ByteBufUtil.writeAscii(out, head.method());
        out.writeByte(' ');
        ByteBufUtil.writeAscii(out, replica.config().basePath());
        ByteBufUtil.writeAscii(out, head.target());
        ByteBufUtil.writeAscii(out, " HTTP/1.1\r\n");
        out.writeBytes(replica.hostLine());
        head.forwarded(i -> replica.replaces(head.name(i)), out::writeBytes);
        out.writeBytes(replica.ownLines());
        if (bodyLength > 0 || head.chunked() || head.contentLength() >= 0) {
            ByteBufUtil.writeAscii(out, "content-length: ");
            ByteBufUtil.writeAscii(out, Integer.toString(bodyLength));
            ByteBufUtil.writeAscii(out, "\r\n");
        }
        return out.writeByte('\r').writeByte('\n');
    }
}

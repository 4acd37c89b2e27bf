package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;

/** Writes a client's request for a replica: its lines as they came, with the replica's host, framing and key, and its body. */
final class RequestWriter {
    /** A body up to this length is copied behind its head: one piece is sent faster than two. */
    private static final int COPIED = 16 * 1024;

    private static final int HEAD = 1_024;

    private RequestWriter() {}

    /** @param body stays the caller's */
    static void write(Channel to, RequestHead head, Replica replica, ByteBuf body) {
        int length = body.readableBytes();
        ByteBuf out = to.alloc().buffer(HEAD + (length <= COPIED ? length : 0));
        head(out, head, replica, length);
        if (length <= COPIED) {
            out.writeBytes(body, body.readerIndex(), length);
            to.writeAndFlush(out, to.voidPromise());
        } else {
            to.write(out, to.voidPromise());
            to.writeAndFlush(body.retainedDuplicate(), to.voidPromise());
        }
    }

    private static void head(ByteBuf out, RequestHead head, Replica replica, int bodyLength) {
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
        out.writeByte('\r').writeByte('\n');
    }
}

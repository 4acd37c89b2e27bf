package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RequestBodyTest {
    @Property(tries = 200)
    void isWhatCameInWhateverPieces(@ForAll @Size(max = 30) List<@IntRange(min = 1, max = 3_000) Integer> pieces) {
        UnpooledByteBufAllocator alloc = new UnpooledByteBufAllocator(true);
        RequestBody body = new RequestBody();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int round = 0; round < 2; round++) {
            for (int n : pieces) {
                ByteBuf piece = alloc.buffer(n % 2 == 0 ? n : 20_000);
                for (int i = 0; i < n; i++) {
                    piece.writeByte(expected.size() + i);
                }
                byte[] bytes = ByteBufUtil.getBytes(piece);
                assertThat(ByteBufUtil.getBytes(body.take(piece, n, alloc))).isEqualTo(bytes);
                expected.writeBytes(bytes);
                assertThat(body.length()).isEqualTo(expected.size());
                piece.release();
            }
            if (round == 0) {
                ByteBuf whole = body.handOver(alloc);
                assertThat(ByteBufUtil.getBytes(whole)).isEqualTo(expected.toByteArray());
                assertThat(body.length()).isZero();
                whole.release();
                expected.reset();
            } else {
                body.release();
            }
        }
        assertThat(alloc.metric().usedDirectMemory() + alloc.metric().usedHeapMemory())
                .isZero();
    }

    /** A client may send its body in chunks of one byte each; that must not cost a buffer each. */
    @Test
    void manySmallPiecesCostNoMoreThanTheirBytes() {
        UnpooledByteBufAllocator alloc = new UnpooledByteBufAllocator(true);
        RequestBody body = new RequestBody();
        ByteBuf piece = Unpooled.wrappedBuffer(new byte[1_000_000]);
        while (piece.isReadable()) {
            body.take(piece, 1, alloc);
        }
        assertThat(alloc.metric().usedDirectMemory()).isLessThan(4_000_000);
        ByteBuf whole = body.handOver(alloc);
        assertThat(whole.readableBytes()).isEqualTo(1_000_000);
        assertThat(((CompositeByteBuf) whole).numComponents()).isEqualTo(2);
        whole.release();
    }
}

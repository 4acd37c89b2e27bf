package dev.warmroute.router.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Blake2bTest {
    /** RFC 7693, appendix A. */
    @Test
    void theExampleOfTheRfc() {
        assertThat(hex(Blake2b.digest("abc".getBytes(UTF_8), 64)))
                .isEqualTo("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                        + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    }

    @Test
    void theEmptyMessage() {
        assertThat(hex(Blake2b.digest(new byte[0], 64)))
                .isEqualTo("786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
                        + "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce");
    }

    /**
     * The self-test of RFC 7693, appendix E, without its keyed half: digests of several sizes over messages around the block
     * boundary, hashed together. The expected value is that of Python's hashlib.
     */
    @Test
    void theMessagesOfTheRfcsSelfTest() {
        ByteArrayOutputStream digests = new ByteArrayOutputStream();
        for (int size : new int[] {20, 32, 48, 64}) {
            for (int length : new int[] {0, 3, 128, 129, 255, 1024}) {
                digests.writeBytes(Blake2b.digest(sequence(length), size));
            }
        }
        assertThat(hex(Blake2b.digest(digests.toByteArray(), 32)))
                .isEqualTo("681f345ad53c6360214ea500fd259edddbca775f605fad81b9b189d6d88e15c6");
    }

    /** The RFC's deterministic bytes, by Fibonacci's rule, with the length as seed. */
    private static byte[] sequence(int length) {
        byte[] out = new byte[length];
        int a = 0xDEAD4BAD * length;
        int b = 1;
        for (int i = 0; i < length; i++) {
            int t = a + b;
            a = b;
            b = t;
            out[i] = (byte) (t >>> 24);
        }
        return out;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}

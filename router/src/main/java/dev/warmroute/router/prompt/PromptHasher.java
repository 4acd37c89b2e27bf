package dev.warmroute.router.prompt;

import dev.warmroute.router.prompt.PromptChain.Unit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Chains a prompt: {@code hash(i) = SipHash-2-4(key, hash(i-1) || block i)}, token ids as 64-bit words, all little-endian, with
 * {@code hash(-1) = HMAC-SHA256(salt, unit || cache salt || block size)} and {@code key = HMAC-SHA256(salt, "prompt blocks")},
 * cut to 64 and 128 bits. Keyed, so that nobody without the salt can test a guess of the text. Not thread-safe.
 */
public final class PromptHasher {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Mac mac;
    private final SipHash hash;

    /** @param salt secret of at least 16 bytes */
    public PromptHasher(byte[] salt) {
        if (salt.length < 16) {
            throw new IllegalArgumentException("a salt needs at least 16 bytes, not " + salt.length);
        }
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(salt, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
        ByteBuffer key = ByteBuffer.wrap(mac.doFinal("prompt blocks".getBytes(StandardCharsets.US_ASCII)));
        hash = new SipHash(key.getLong(), key.getLong());
    }

    /**
     * Chains text by blocks of {@code blockSize} bytes.
     *
     * @param cacheSalt what the client keeps its blocks apart with in the engine's cache, or the empty string
     */
    public PromptChain bytes(byte[] text, int blockSize, String cacheSalt) {
        long[] hashes = new long[text.length / blockSize];
        long parent = seed(Unit.BYTES, blockSize, cacheSalt);
        for (int i = 0; i < hashes.length; i++) {
            parent = block(parent, text, i * blockSize, blockSize);
            hashes[i] = parent;
        }
        return new PromptChain(Unit.BYTES, blockSize, text.length, hashes);
    }

    private long block(long parent, byte[] text, int from, int size) {
        hash.begin();
        hash.word(parent);
        int end = from + size;
        int i = from;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            hash.word((long) LONGS.get(text, i));
        }
        long rest = 0;
        for (int shift = 0; i < end; i++, shift += Byte.SIZE) {
            rest |= (text[i] & 0xffL) << shift;
        }
        return hash.end(rest, Long.BYTES + size);
    }

    /**
     * Chains token ids by blocks of {@code blockSize} tokens, as the engine's own cache does.
     *
     * @param cacheSalt as in {@link #bytes}
     */
    public PromptChain tokens(long[] tokens, int blockSize, String cacheSalt) {
        long[] hashes = new long[tokens.length / blockSize];
        long parent = seed(Unit.TOKENS, blockSize, cacheSalt);
        for (int i = 0; i < hashes.length; i++) {
            hash.begin();
            hash.word(parent);
            for (int t = i * blockSize; t < (i + 1) * blockSize; t++) {
                hash.word(tokens[t]);
            }
            parent = hash.end(0, (1 + blockSize) * Long.BYTES);
            hashes[i] = parent;
        }
        return new PromptChain(Unit.TOKENS, blockSize, tokens.length, hashes);
    }

    private long seed(Unit unit, int blockSize, String cacheSalt) {
        mac.update((byte) unit.ordinal());
        mac.update(cacheSalt.getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(mac.doFinal(
                        ByteBuffer.allocate(Long.BYTES).putLong(blockSize).array()))
                .getLong();
    }
}

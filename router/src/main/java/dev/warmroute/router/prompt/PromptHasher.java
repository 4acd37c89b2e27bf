package dev.warmroute.router.prompt;

import dev.warmroute.router.prompt.PromptChain.Unit;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Chains a prompt: {@code hash(i) = HMAC-SHA256(salt, hash(i-1) || block i)}, cut to 64 bits, with {@code hash(-1)} made from
 * unit and block size. Keyed, so that nobody without the salt can test a guess of the text. Not thread-safe.
 */
public final class PromptHasher {
    private final Mac mac;

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
    }

    /** Chains text by blocks of {@code blockSize} bytes. */
    public PromptChain bytes(byte[] text, int blockSize) {
        long[] hashes = new long[text.length / blockSize];
        long parent = seed(Unit.BYTES, blockSize);
        for (int i = 0; i < hashes.length; i++) {
            mac.update(longBytes(parent));
            mac.update(text, i * blockSize, blockSize);
            parent = first64(mac.doFinal());
            hashes[i] = parent;
        }
        return new PromptChain(Unit.BYTES, blockSize, text.length, hashes);
    }

    /** Chains token ids by blocks of {@code blockSize} tokens, as the engine's own cache does. */
    public PromptChain tokens(int[] tokens, int blockSize) {
        long[] hashes = new long[tokens.length / blockSize];
        long parent = seed(Unit.TOKENS, blockSize);
        ByteBuffer block = ByteBuffer.allocate(Long.BYTES + blockSize * Integer.BYTES);
        for (int i = 0; i < hashes.length; i++) {
            block.clear().putLong(parent);
            for (int t = i * blockSize; t < (i + 1) * blockSize; t++) {
                block.putInt(tokens[t]);
            }
            parent = first64(mac.doFinal(block.array()));
            hashes[i] = parent;
        }
        return new PromptChain(Unit.TOKENS, blockSize, tokens.length, hashes);
    }

    private long seed(Unit unit, int blockSize) {
        mac.update((byte) unit.ordinal());
        return first64(mac.doFinal(longBytes(blockSize)));
    }

    private static byte[] longBytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static long first64(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }
}

package dev.warmroute.router.warm;

import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A warm prompt as policies see it: the fingerprint that every request with this prompt begins with. */
final class WarmChain {
    private final PromptReader reader;

    /** @param salt secret of at least 16 bytes, the one behind the requests' own fingerprints */
    WarmChain(byte[] salt) {
        reader = new PromptReader(salt);
    }

    synchronized PromptChain of(WarmPrompt prompt) {
        PromptChain one = read(prompt, "A");
        int shared = one.sharedBlocks(read(prompt, "7"));
        return PromptChain.of(
                one.unit(), one.blockSize(), (long) shared * one.blockSize(), Arrays.copyOf(one.hashes(), shared));
    }

    private PromptChain read(WarmPrompt prompt, String said) {
        return reader.read(prompt.asking(said).toString().getBytes(StandardCharsets.UTF_8));
    }
}

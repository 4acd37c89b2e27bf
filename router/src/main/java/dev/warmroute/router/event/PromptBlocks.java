package dev.warmroute.router.event;

import java.util.Optional;

/**
 * {@code prompt.blocks.v1}: the prompt of a request as chained, salted hashes of its full blocks, never its text. A prompt
 * that continues the session's previous one names only what is new.
 *
 * @param unit {@code tokens} or {@code bytes}: what a block counts
 * @param blockSize units in a block
 * @param length length of the whole prompt in units
 * @param sharedBlocks leading blocks equal to those of {@code previous}
 * @param previous request whose prompt this one continues; empty when {@code sharedBlocks} is 0
 * @param hashes base64 of the new blocks' chained 64-bit hashes, little-endian, after the shared ones
 * @param cut blocks left out because the event would have grown beyond 64 KiB
 * @param saltId id of the salt; hashes under different salts cannot be compared
 */
public record PromptBlocks(
        String requestId,
        RoutingDecision.Session session,
        String unit,
        int blockSize,
        long length,
        int sharedBlocks,
        Optional<String> previous,
        String hashes,
        int cut,
        String saltId,
        RouterIdentity router)
        implements Event {

    @Override
    public String key() {
        return session.key();
    }

    @Override
    public String subject() {
        return requestId;
    }
}

package dev.warmroute.router.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PromptChainTest {
    private static final byte[] SALT = "0123456789abcdef0123".getBytes(StandardCharsets.US_ASCII);
    private static final Session SESSION =
            new Session(Optional.of("abc"), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty());

    @Property(tries = 200)
    void chainsAgreeExactlyAsFarAsTheTextsDo(
            @ForAll @Size(max = 300) byte[] shared,
            @ForAll @Size(max = 100) byte[] a,
            @ForAll @Size(max = 100) byte[] b) {
        byte[] first = concat(shared, a);
        byte[] second = concat(shared, b);
        int mismatch = Arrays.mismatch(first, second);
        int common = mismatch < 0 ? first.length : mismatch;
        PromptHasher hasher = new PromptHasher(SALT);

        int blocks = hasher.bytes(first, 16, "").sharedBlocks(hasher.bytes(second, 16, ""));

        assertThat(blocks).isEqualTo(Math.min(common / 16, Math.min(first.length, second.length) / 16));
    }

    @Property(tries = 100)
    void hashesSurviveBase64(
            @ForAll @Size(max = 200) long[] tokens, @ForAll @IntRange(min = 1, max = 20) int blockSize) {
        PromptChain chain = new PromptHasher(SALT).tokens(tokens, blockSize, "");
        long[] back = PromptChain.hashes(chain.base64(0, chain.blocks()));
        assertThat(back).hasSize(tokens.length / blockSize);
        for (int i = 0; i < back.length; i++) {
            assertThat(back[i]).isEqualTo(chain.hash(i));
        }
    }

    @Test
    void anotherSaltGivesOtherHashes() {
        byte[] text = new byte[64];
        byte[] other = "another salt, 16 bytes or more".getBytes(StandardCharsets.US_ASCII);
        assertThat(new PromptHasher(SALT).bytes(text, 16, "").hash(0))
                .isNotEqualTo(new PromptHasher(other).bytes(text, 16, "").hash(0));
    }

    @Test
    void theNextTurnTellsOnlyWhatIsNew() {
        PromptEvents events = new PromptEvents(new PromptMemory(1000), "salt-1");
        PromptHasher hasher = new PromptHasher(SALT);
        long[] first = new long[64];
        long[] second = Arrays.copyOf(first, 100);
        second[99] = 7;

        events.event("r1", SESSION, hasher.tokens(first, 16, ""));
        PromptBlocks told =
                events.event("r2", SESSION, hasher.tokens(second, 16, "")).numbered(new RouterIdentity("a", 1, 0));

        assertThat(told.sharedBlocks()).isEqualTo(4);
        assertThat(told.previous()).contains("r1");
        assertThat(PromptChain.hashes(told.hashes())).hasSize(2);
        assertThat(told.length()).isEqualTo(100);
        assertThat(told.cut()).isZero();
    }

    @Test
    void anOverlongPromptIsCutWithACount() {
        PromptEvents events = new PromptEvents(new PromptMemory(100_000), "salt-1");
        PromptBlocks told = events.event("r1", SESSION, new PromptHasher(SALT).tokens(new long[16 * 7000], 16, ""))
                .numbered(new RouterIdentity("a", 1, 0));
        assertThat(told.cut()).isEqualTo(1000);
        assertThat(told.hashes().length()).isLessThan(64 * 1024);
    }

    @Test
    void theAttributionLineAndTheSamplingDoNotChangeThePrompt() {
        String a = """
                {"model":"m","system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=1; cch=abc12;"},
                {"type":"text","text":"You are careful."}],"messages":[{"role":"user","content":"hello"}],"temperature":0}""";
        String b = """
                {"temperature":1,"messages":[{"role":"user","content":"hello"}],"system":[{"type":"text","text":
                "x-anthropic-billing-header: cc_version=1; cch=fffff;"},{"type":"text","text":"You are careful."}]}""";
        assertThat(text(a)).isEqualTo(text(b)).isNotEmpty();
    }

    @Test
    void aConversationThatGoesOnKeepsItsPrefix() {
        String one = "{\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
        String two =
                "{\"messages\":[{\"role\":\"user\",\"content\":\"hello\"},{\"role\":\"assistant\",\"content\":\"hi\"}]}";
        assertThat(new String(text(two), StandardCharsets.UTF_8))
                .startsWith(new String(text(one), StandardCharsets.UTF_8));
    }

    @Test
    void tokenIdsStayTokenIds() {
        assertThat(PromptText.of("{\"prompt\":[5,6,7]}".getBytes(StandardCharsets.UTF_8)))
                .get()
                .isInstanceOfSatisfying(
                        PromptText.Tokens.class, t -> assertThat(t.ids()).containsExactly(5L, 6L, 7L));
    }

    @Test
    void whatIsNotJsonSaysNothing() {
        assertThat(PromptText.of("{\"messages\":".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(PromptText.of("[]".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(PromptText.of(new byte[0])).isEmpty();
    }

    private static byte[] text(String json) {
        return ((PromptText.Text)
                        PromptText.of(json.getBytes(StandardCharsets.UTF_8)).orElseThrow())
                .bytes();
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] out = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, out, a.length, b.length);
        return out;
    }
}

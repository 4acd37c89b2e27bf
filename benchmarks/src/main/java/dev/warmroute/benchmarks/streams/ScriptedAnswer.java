package dev.warmroute.benchmarks.streams;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * The bytes of an answer, known to both ends of a stream: a head, as many tokens as there are, all of one length, and an end.
 * What a client has received can so be checked to the byte without being kept.
 *
 * @param ticket number of the stream, which is in every token
 * @param padding bytes that a token is longer than it need be
 */
record ScriptedAnswer(int ticket, int padding) {
    static final byte[] HEAD =
            ascii("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");

    /** What every answer ends with. */
    static final byte[] LAST = ascii(chunk("data: [DONE]\n\n") + "0\r\n\r\n");

    byte[] token(int number) {
        return ascii(chunk(String.format(
                Locale.ROOT,
                "data: {\"ticket\":%07d,\"token\":%09d,\"pad\":\"%s\"}\n\n",
                ticket,
                number,
                "x".repeat(padding))));
    }

    byte[] usage(int tokens) {
        return ascii(chunk(String.format(
                Locale.ROOT, "data: {\"usage\":{\"prompt_tokens\":256,\"completion_tokens\":%d}}\n\n", tokens)));
    }

    /** Whether a whole answer has this length and checksum. */
    boolean is(long length, long checksum) {
        int token = token(0).length;
        // the length of the usage grows with the digits of the number of tokens
        for (int tokens = (int) Math.max(0, (length - HEAD.length - LAST.length - 100) / token);
                (long) tokens * token <= length;
                tokens++) {
            byte[] usage = usage(tokens);
            if (HEAD.length + (long) tokens * token + usage.length + LAST.length == length) {
                CRC32 expected = new CRC32();
                expected.update(HEAD);
                for (int i = 0; i < tokens; i++) {
                    expected.update(token(i));
                }
                expected.update(usage);
                expected.update(LAST);
                return expected.getValue() == checksum;
            }
        }
        return false;
    }

    private static String chunk(String content) {
        return Integer.toHexString(content.length()) + "\r\n" + content + "\r\n";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

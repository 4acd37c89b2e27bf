package dev.warmroute.simulator.replica;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Text to token ids and back, without a vocabulary: a piece of text <em>is</em> its id.
 *
 * <ul>
 *   <li>A <b>word</b> {@code wN}, alone or after one space, is one token with the id N (6 and more). The stand-in generates
 *       such words, so an answer that a client sends back in its history is the very tokens that were generated, and hits
 *       the blocks that generating it left in the cache.
 *   <li>Anything else is cut into <b>pieces</b> of at most 6 bytes of UTF-8 (3 to 4 on ordinary text): letters with one
 *       space before them, up to three digits, runs of one whitespace character, runs of other characters. The id of a
 *       piece is its length and its bytes, so different pieces have different ids.
 *   <li><b>Specials</b> are what a chat template puts between texts: {@link #IM_START}, {@link #IM_END} and one token for
 *       each known role. Text never tokenizes to them.
 * </ul>
 *
 * <p>A longer text keeps the tokens of its prefix, except for the last one. Ids are below 2<sup>53</sup>, so that they
 * survive JSON.
 */
public final class StandInTokenizer {
    /** Starts a message of a chat. */
    public static final long IM_START = 2;

    /** Ends a message of a chat. */
    public static final long IM_END = 3;

    /** Smallest number of a word; the ids below are specials. */
    public static final long FIRST_WORD = 6;

    /** Largest id that a client may use, exclusive: 2^53. */
    public static final long MAX_ID = 1L << 53;

    private static final int PIECE_BYTES = 6;
    private static final int LENGTH_SHIFT = 8 * PIECE_BYTES;
    private static final long FIRST_PIECE = 1L << LENGTH_SHIFT;
    private static final long FIRST_ROLE = 7L << LENGTH_SHIFT;
    private static final int WORD_DIGITS = 15;
    private static final int DIGITS = 3;
    private static final int SYMBOLS = 4;
    private static final List<String> ROLES = List.of("system", "user", "assistant", "tool", "developer", "function");

    private StandInTokenizer() {}

    /** Returns the tokens of a text. */
    public static LongArrayList tokenize(String text) {
        LongArrayList ids = new LongArrayList(text.length() / 4 + 4);
        tokenize(text, ids);
        return ids;
    }

    /** Appends the tokens of a text. */
    public static void tokenize(String text, LongArrayList ids) {
        int at = 0;
        while (at < text.length()) {
            int wordEnd = wordEnd(text, at);
            int end = wordEnd > at ? wordEnd : pieceEnd(text, at);
            long word = wordEnd > at ? wordNumber(text, at, wordEnd) : 0;
            ids.add(word >= FIRST_WORD ? word : pieceId(text, at, end));
            at = end;
        }
    }

    /** Appends the token or tokens of a role. */
    static void role(String role, LongArrayList ids) {
        int known = ROLES.indexOf(role);
        if (known >= 0) {
            ids.add(FIRST_ROLE + known);
        } else {
            tokenize(role, ids);
        }
    }

    /** Returns the text of a generated word: {@code " wN"}. */
    public static String word(long number) {
        return " w" + number;
    }

    /**
     * Returns a text that tokenizes to the given ids where they came from text; ids that did not (specials, or numbers that
     * a client made up) come out readable all the same.
     */
    public static String detokenize(LongList ids) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ids.size(); i++) {
            appendText(ids.getLong(i), text);
        }
        return text.toString();
    }

    private static void appendText(long id, StringBuilder text) {
        if (id >= FIRST_ROLE) {
            long role = id - FIRST_ROLE;
            text.append(role < ROLES.size() ? ROLES.get((int) role) : "<unk>");
        } else if (id >= FIRST_PIECE) {
            int length = (int) (id >>> LENGTH_SHIFT);
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (id >>> 8 * (length - 1 - i));
            }
            text.append(new String(bytes, StandardCharsets.UTF_8));
        } else if (id >= FIRST_WORD) {
            text.append(word(id));
        } else {
            text.append(id == IM_START ? "<|im_start|>" : id == IM_END ? "<|im_end|>" : id == 1 ? "<eos>" : "<unk>");
        }
    }

    /**
     * Returns the end of the word that starts at a position, or the position itself if none does. The numbers below the
     * first are words too, so that {@code w5} does not fall apart when {@code w50} does not; their ids are those of pieces.
     */
    private static int wordEnd(String text, int from) {
        int at = from;
        if (text.charAt(at) == ' ') {
            at++;
        } else if (at > 0 && isWordPart(text.codePointBefore(at))) {
            return from;
        }
        if (at >= text.length() || text.charAt(at) != 'w') {
            return from;
        }
        int digits = at + 1;
        int end = digits;
        while (end < text.length() && end - digits <= WORD_DIGITS && isAsciiDigit(text.charAt(end))) {
            end++;
        }
        boolean canonical = end > digits && end - digits <= WORD_DIGITS && text.charAt(digits) != '0';
        if (!canonical || (end < text.length() && isWordPart(text.codePointAt(end)))) {
            return from;
        }
        long number = wordNumber(text, from, end);
        return number < FIRST_PIECE ? end : from;
    }

    private static long wordNumber(String text, int from, int end) {
        int digits = text.charAt(from) == ' ' ? from + 2 : from + 1;
        return Long.parseLong(text, digits, end, 10);
    }

    private static int pieceEnd(String text, int from) {
        int first = text.codePointAt(from);
        if (first == ' ' && from + 1 < text.length() && isWordPart(text.codePointAt(from + 1))) {
            return partEnd(text, from + 1, PIECE_BYTES - 1);
        }
        if (isWordPart(first)) {
            return partEnd(text, from, PIECE_BYTES);
        }
        if (Character.isWhitespace(first)) {
            return spaceEnd(text, from, first);
        }
        int at = from;
        int room = SYMBOLS;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            room -= utf8Length(c);
            if (room < 0 || isWordPart(c) || Character.isWhitespace(c)) {
                break;
            }
            at += Character.charCount(c);
        }
        return at;
    }

    /** Letters as far as the bytes reach, or up to three digits. */
    private static int partEnd(String text, int from, int bytes) {
        boolean digits = Character.isDigit(text.codePointAt(from));
        int at = from;
        int room = bytes;
        int left = digits ? DIGITS : PIECE_BYTES;
        while (at < text.length() && left-- > 0) {
            int c = text.codePointAt(at);
            room -= utf8Length(c);
            if (room < 0 || !isWordPart(c) || Character.isDigit(c) != digits) {
                break;
            }
            at += Character.charCount(c);
        }
        return at;
    }

    /** A run of one whitespace character; the last space before a word or a letter belongs to that. */
    private static int spaceEnd(String text, int from, int space) {
        int at = from;
        int room = PIECE_BYTES;
        while (at < text.length() && text.codePointAt(at) == space) {
            room -= utf8Length(space);
            boolean opensNext = space == ' ' && at + 1 < text.length() && isWordPart(text.codePointAt(at + 1));
            if (room < 0 || (opensNext && at > from)) {
                break;
            }
            at++;
        }
        return at;
    }

    private static long pieceId(String text, int from, int end) {
        long id = 0;
        int length = 0;
        for (int at = from; at < end; ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            int bytes = utf8Length(c);
            length += bytes;
            if (bytes == 1) {
                id = id << 8 | c;
                continue;
            }
            int lead = bytes == 2 ? 0xC0 : bytes == 3 ? 0xE0 : 0xF0;
            for (int i = bytes - 1; i >= 0; i--) {
                int part = c >>> 6 * i;
                id = id << 8 | (i == bytes - 1 ? lead | part : 0x80 | (part & 0x3F));
            }
        }
        return (long) length << LENGTH_SHIFT | id;
    }

    private static int utf8Length(int codePoint) {
        return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }

    private static boolean isWordPart(int c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private static boolean isAsciiDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

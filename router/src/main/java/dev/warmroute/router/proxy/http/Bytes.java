package dev.warmroute.router.proxy.http;

/** Which bytes may stand where (RFC 9110 §5.6.2, §5.5). */
final class Bytes {
    private static final boolean[] TOKEN = token();

    private Bytes() {}

    private static boolean[] token() {
        boolean[] t = new boolean[256];
        for (char c = '0'; c <= '9'; c++) {
            t[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            t[c] = true;
            t[c - 'a' + 'A'] = true;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            t[c] = true;
        }
        return t;
    }

    /** Letters, digits and a few signs: names of methods and headers. */
    static boolean isToken(byte b) {
        return TOKEN[b & 0xff];
    }

    /** Anything but control characters; a tab is allowed, and so are bytes beyond ASCII. */
    static boolean isFieldContent(byte b) {
        return b == '\t' || (b & 0xff) >= ' ' && b != 0x7f;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    /** Value of a hexadecimal digit, or -1. */
    static int hex(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int c = b | 0x20;
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}

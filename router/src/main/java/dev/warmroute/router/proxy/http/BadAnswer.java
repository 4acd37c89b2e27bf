package dev.warmroute.router.proxy.http;

/** A replica sent something that is not an HTTP/1 answer. */
public final class BadAnswer extends Exception {
    private static final long serialVersionUID = 1L;

    BadAnswer(String message) {
        super(message, null, false, false);
    }
}

package dev.warmroute.router.proxy.http;

/** A request that the router does not pass on, with the status to answer. The connection is closed after the answer. */
public final class RequestRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    public RequestRefused(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }
}

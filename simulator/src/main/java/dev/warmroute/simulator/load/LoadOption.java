package dev.warmroute.simulator.load;

import dev.warmroute.router.UserError;
import java.net.URI;
import java.util.Locale;

/** Refuses options of a load that make no sense. */
final class LoadOption {
    private LoadOption() {}

    /** @throws UserError if this is not where an API can be */
    static void requireEndpoint(String endpoint) {
        URI uri;
        try {
            uri = URI.create(endpoint);
        } catch (IllegalArgumentException e) {
            throw new UserError("endpoint " + endpoint + " is not a URL: " + e.getMessage(), e);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        require(
                (scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null,
                "endpoint",
                endpoint,
                "http://host:port or https://host:port");
    }

    /** @throws UserError that names the option, its value and what was expected, if it is not so */
    static void require(boolean ok, String option, Object value, String expected) {
        if (!ok) {
            throw new UserError(option + " " + value + ": expected " + expected);
        }
    }
}

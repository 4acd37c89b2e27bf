package dev.warmroute.router.scrape;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A replica whose metrics are read.
 *
 * @param replica its id
 * @param url base URL; {@code /metrics} and {@code /version} are under it
 * @param engine engine on the page that is this replica (data-parallel rank); empty: all engines there are
 * @param apiKey sent as bearer token
 */
public record ScrapeTarget(String replica, URI url, OptionalInt engine, Optional<String> apiKey) {
    /** A server that is one replica and asks for no key. */
    public static ScrapeTarget of(String replica, URI url) {
        return new ScrapeTarget(replica, url, OptionalInt.empty(), Optional.empty());
    }

    /** Never shows the key. */
    @Override
    public String toString() {
        return "ScrapeTarget[" + replica + ", " + url + ']';
    }
}

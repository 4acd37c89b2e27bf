package dev.warmroute.router.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param host name or IP address, without brackets
 * @param port 0 takes a free one
 */
public record Address(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^:\\s\\[\\]/]+)):(\\d{1,5})");

    /** Reads {@code host:port} or {@code [ipv6]:port}. */
    static Optional<Address> parse(String text) {
        Matcher m = FORM.matcher(text.strip());
        if (!m.matches() || Integer.parseInt(m.group(3)) > 65_535) {
            return Optional.empty();
        }
        return Optional.of(new Address(m.group(1) != null ? m.group(1) : m.group(2), Integer.parseInt(m.group(3))));
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}

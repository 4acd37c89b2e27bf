package dev.warmroute.router.warm;

import dev.warmroute.router.UserError;
import dev.warmroute.router.config.RouterConfig.Warming;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm prompts of this router.
 *
 * @param config where they stand, and how they are sent
 * @param prompts none when there is no file, or something is wrong with it
 * @param problem what is wrong with the file; empty when nothing is
 */
public record WarmSource(Warming config, List<WarmPrompt> prompts, String problem) {
    private static final Logger LOG = LoggerFactory.getLogger(WarmSource.class);

    public WarmSource {
        prompts = List.copyOf(prompts);
    }

    /** Reads the file, if there is one. A wrong file is no reason not to start: it is told, and the replicas stay cold. */
    public static WarmSource of(Warming config) {
        try {
            return checked(config);
        } catch (UserError e) {
            LOG.warn("no warm prompts, the replicas stay cold: {}", e.getMessage());
            return new WarmSource(config, List.of(), e.getMessage());
        }
    }

    /**
     * Reads the file, if there is one.
     *
     * @throws UserError if something is wrong with it
     */
    public static WarmSource checked(Warming config) {
        return new WarmSource(
                config,
                config.file().map(file -> WarmPrompts.read(file).prompts()).orElse(List.of()),
                "");
    }

    /** Where the prompts stand; empty: this router has none. */
    public Optional<Path> file() {
        return config.file();
    }
}

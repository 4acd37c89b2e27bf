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
    static WarmSource of(Warming config) {
        if (config.file().isEmpty()) {
            return new WarmSource(config, List.of(), "");
        }
        try {
            return new WarmSource(config, WarmPrompts.read(config.file().get()).prompts(), "");
        } catch (UserError e) {
            LOG.warn("no warm prompts, the replicas stay cold: {}", e.getMessage());
            return new WarmSource(config, List.of(), e.getMessage());
        }
    }

    /** Where the prompts stand; empty: this router has none. */
    public Optional<Path> file() {
        return config.file();
    }
}

package dev.warmroute.cli;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.admin.RouterAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** A running router to change. */
final class RouterOptions {
    private static final String TOKEN_VARIABLE = "WARMROUTE_ADMIN_TOKEN";

    @Option(
            names = "--router",
            paramLabel = "URL",
            description = "The router's admin address (default: ${DEFAULT-VALUE}).")
    private String address = "http://127.0.0.1:8081";

    @Option(
            names = "--router-model",
            paramLabel = "NAME",
            description = "Model whose policy it is, as router.yaml names it (default: the only one of the router).")
    private String model;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The router's admin token (default: $" + TOKEN_VARIABLE + ").")
    private String token;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with the router's admin token.")
    private Path tokenFile;

    /** The router; the caller closes it. */
    RouterAdmin admin() {
        return model == null ? RouterAdmin.ofItsModel(address, token()) : new RouterAdmin(address, token(), model);
    }

    private String token() {
        if (token != null && tokenFile != null) {
            throw new UserError("give either --token or --token-file");
        }
        if (tokenFile != null) {
            return fileContent();
        }
        String variable = System.getenv(TOKEN_VARIABLE);
        String found = token != null ? token : variable == null ? "" : variable;
        if (found.isBlank()) {
            throw new UserError(
                    "the router needs its admin token: give --token-file or --token, or set " + TOKEN_VARIABLE);
        }
        return found.strip();
    }

    private String fileContent() {
        try {
            String content = Files.readString(tokenFile).strip();
            if (content.isEmpty()) {
                throw new UserError(tokenFile + " is empty; it should hold the router's admin token");
            }
            return content;
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + tokenFile + " with the router's admin token", e);
        } catch (IOException e) {
            throw FileErrors.reading(tokenFile, e);
        }
    }
}

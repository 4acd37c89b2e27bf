package dev.warmroute.router.warm;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The prompts of a file: a JSON list whose entries are lists of chat messages ({@code role}, {@code content}), or objects with
 * such {@code messages} and, where wanted, {@code name}, {@code tools} and {@code chat_template_kwargs}.
 *
 * @param prompts at least one, in the order of the file
 */
public record WarmPrompts(List<WarmPrompt> prompts) {
    public WarmPrompts {
        prompts = List.copyOf(prompts);
        if (prompts.isEmpty()) {
            throw new IllegalArgumentException("there is no prompt");
        }
    }

    /**
     * Reads a file.
     *
     * @throws UserError if it cannot be read, or says something wrong: which entry, which field, what is expected
     */
    public static WarmPrompts read(Path file) {
        try {
            return parse(file.toString(), Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new UserError(file + ": there is no such file", e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /**
     * Reads what a file holds.
     *
     * @param name stands for the file in messages
     * @throws UserError as {@link #read}
     */
    public static WarmPrompts parse(String name, byte[] json) {
        return new WarmPromptsParser(name).parse(json);
    }
}

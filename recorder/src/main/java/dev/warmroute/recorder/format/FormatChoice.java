package dev.warmroute.recorder.format;

import dev.warmroute.router.UserError;
import java.util.OptionalInt;

/**
 * A format as the user names it: {@code mooncake}, or {@code mooncake/16} for blocks of another size.
 *
 * @param blockSize tokens in a block, if the name says
 */
public record FormatChoice(TraceFormat format, OptionalInt blockSize) {
    /**
     * Reads a format's name.
     *
     * @throws UserError if there is no such format, or the size is none
     */
    public static FormatChoice parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return new FormatChoice(TraceFormat.named(text), OptionalInt.empty());
        }
        TraceFormat format = TraceFormat.named(text.substring(0, slash));
        try {
            int size = Integer.parseInt(text.substring(slash + 1));
            if (size >= 1 && size <= 1 << 20) {
                return new FormatChoice(format, OptionalInt.of(size));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UserError(
                "the tokens in a block in '" + text + "' must be a number, as in " + format.formatName() + "/16");
    }
}

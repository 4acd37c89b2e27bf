package dev.warmroute.router;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says in words why a file could not be read or written: what the file system throws is often no more than a path. */
public final class FileErrors {
    private FileErrors() {}

    /** For a file, or a part of it, that was to be read. */
    public static UserError reading(Object place, IOException e) {
        return new UserError(place + " cannot be read: " + reason(e, place.toString()), e);
    }

    /** For a file or directory that was to be written. */
    public static UserError writing(Path place, IOException e) {
        return new UserError(
                place + " cannot be written: " + reason(e, place.toString()) + "; choose a place that can be written",
                e);
    }

    /** What is wrong, and with which file. */
    public static String reason(IOException e) {
        return reason(e, "");
    }

    /** The same; the file that the sentence has named already is not named again. */
    private static String reason(IOException e, String named) {
        return switch (e) {
            case AccessDeniedException denied -> "no permission" + of(" for ", denied, named);
            case NoSuchFileException missing -> "there is no such file" + of(": ", missing, named);
            case FileAlreadyExistsException there -> "a file is in the way" + of(": ", there, named);
            case FileSystemException known -> {
                String why = known.getReason() == null ? known.getClass().getSimpleName() : known.getReason();
                yield why + of(": ", known, named);
            }
            case CharacterCodingException wrong -> "it is not text in UTF-8";
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }

    private static String of(String before, FileSystemException e, String named) {
        return named.equals(e.getFile()) ? "" : before + e.getFile();
    }
}

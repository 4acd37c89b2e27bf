package dev.warmroute.recorder.format;

import dev.warmroute.router.UserError;
import java.util.List;

/**
 * A trace with a header line and one request a line, separated by commas, quoted where a field has one. Lines may end as they
 * like; the columns are found by their names.
 */
abstract class CsvReader extends StreamedReader<TraceLines> {
    private final CsvHeader header;

    /** @throws UserError if the header is not one of this format */
    CsvReader(TraceFile file, OnError onError, TraceFormat format, String... required) {
        super(file, onError, format, new TraceLines(file));
        this.header = header(format, required);
    }

    private CsvHeader header(TraceFormat format, String... required) {
        while (source.next()) {
            if (!source.isBlank()) {
                CsvHeader found = headerIn(source.text());
                for (String name : required) {
                    if (!found.has(name)) {
                        String place = source.place();
                        source.close();
                        throw new UserError(place + ": there is no column '" + name + "' in the header '"
                                + String.join(",", found.names()) + "'; is it a " + format.formatName() + " trace?");
                    }
                }
                return found;
            }
        }
        source.close();
        throw new UserError(file().path() + " is empty: it has no header");
    }

    private CsvHeader headerIn(String line) {
        try {
            return new CsvHeader(fields(line));
        } catch (RowException e) {
            String place = source.place();
            source.close();
            throw new UserError(place + ": " + e.getMessage() + "; expected a line with the names of the columns", e);
        }
    }

    /** Reads a request, if the row is one. */
    abstract void row(CsvRow row);

    final CsvHeader header() {
        return header;
    }

    @Override
    final boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            row(new CsvRow(header, fields(source.text())));
        }
        return true;
    }

    private static List<String> fields(String line) {
        return CsvLine.fields(line).orElseThrow(() -> new RowException("a quote is opened and not closed"));
    }
}

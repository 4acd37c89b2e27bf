package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;

/** A trace with one JSON object a line, each one request; lines are counted, empty ones passed over. */
abstract class JsonLinesReader extends StreamedReader<TraceLines> {

    JsonLinesReader(TraceFile file, OnError onError, TraceFormat format) {
        super(file, onError, format, new TraceLines(file));
    }

    /**
     * Turns a line into a request.
     *
     * @param index position of the request among those read
     * @throws RowException if the line is not of this format
     */
    abstract Turn turn(JsonRow row, int index);

    /**
     * Turns a line into a request; for formats that can read their usual rows without a JSON parser.
     *
     * @throws RowException if the line is not of this format
     */
    Turn turn(TraceLines line, int index) {
        return turn(JsonRow.of(line.text()), index);
    }

    @Override
    final boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            emit(turn(source, index()));
        }
        return true;
    }
}

package dev.warmroute.simulator.validate;

/**
 * A place where the simulated engine decided otherwise than vLLM.
 *
 * @param file recording
 * @param step number of the engine step
 * @param field field of the recording that differs, as {@code after_schedule.used}
 * @param expected what vLLM did, as recorded
 * @param found what the simulated engine did
 */
public record OracleMismatch(String file, long step, String field, String expected, String found) {
    @Override
    public String toString() {
        return file + " step " + step + " " + field + ": expected " + expected + ", found " + found;
    }
}

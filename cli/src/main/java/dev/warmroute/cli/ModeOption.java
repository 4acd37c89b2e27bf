package dev.warmroute.cli;

import dev.warmroute.simulator.validate.FleetCheck;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code --mode} of {@code validate fleet}. */
final class ModeOption implements ITypeConverter<FleetCheck.Mode> {
    @Override
    public FleetCheck.Mode convert(String text) {
        return Arrays.stream(FleetCheck.Mode.values())
                .filter(m -> m.wireName().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not one of "
                        + Arrays.stream(FleetCheck.Mode.values())
                                .map(FleetCheck.Mode::wireName)
                                .collect(Collectors.joining(", "))));
    }
}

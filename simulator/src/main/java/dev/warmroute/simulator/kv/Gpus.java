package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.io.Reader;
import java.util.List;
import java.util.Set;

/** The GPUs that warmroute knows, from {@code gpus.csv} beside this class. */
public final class Gpus {
    private static final Set<String> VENDORS = Set.of("nvidia", "geforce", "tesla", "amd", "instinct");

    private static final Names<GpuSpec> TABLE = names(CsvTable.resource("gpus.csv"));

    private Gpus() {}

    /** Returns the GPU with this name (as sold or as the driver reports it), or refuses. */
    public static GpuSpec named(String name) {
        return TABLE.named(name);
    }

    public static boolean contains(String name) {
        return TABLE.contains(name);
    }

    public static List<GpuSpec> all() {
        return TABLE.entries();
    }

    /**
     * Reads a table of the same format, for cards that are not in ours.
     *
     * @param file its name, for messages
     * @throws UserError naming file, row and field if a row cannot be read
     */
    public static Names<GpuSpec> read(String file, Reader reader) {
        return names(CsvTable.read(file, reader));
    }

    private static Names<GpuSpec> names(CsvTable table) {
        Names<GpuSpec> names = new Names<>("GPU", VENDORS);
        for (CsvTable.Row row : table.rows()) {
            try {
                GpuSpec gpu = new GpuSpec(
                        row.required("name"),
                        row.list("aliases"),
                        row.number("nominal_gb"),
                        row.number("visible_gib"),
                        row.number("bandwidth_gb_s"),
                        row.number("dense_bf16_tflops"),
                        row.required("confidence"),
                        row.required("source"),
                        row.required("visible_source"));
                names.add(gpu.name(), gpu.aliases(), gpu);
            } catch (IllegalArgumentException e) {
                throw new UserError(row.where() + ": " + e.getMessage(), e);
            }
        }
        return names;
    }
}

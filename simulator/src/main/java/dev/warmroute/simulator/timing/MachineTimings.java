package dev.warmroute.simulator.timing;

import dev.warmroute.simulator.kv.KvDtype;
import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.kv.WeightDtype;
import java.util.Map;

/** The best known times of a model on a card: a preset that was measured or fitted there, else the roofline. */
public final class MachineTimings {
    private record Machine(String model, String gpu, WeightDtype weights) {}

    private static final Map<Machine, TimingPresets> MEASURED = Map.of(
            new Machine("Llama-3.1-8B", "H100 SXM", WeightDtype.BF16), TimingPresets.H100_8B,
            new Machine("Llama-3.1-8B", "A100-80GB SXM", WeightDtype.BF16), TimingPresets.A100_8B,
            new Machine("Qwen3-4B", "RTX A4000", WeightDtype.BF16), TimingPresets.A4000_QWEN3_4B,
            new Machine("Qwen3-4B", "RTX 5090", WeightDtype.BF16), TimingPresets.RTX5090_QWEN3_4B,
            new Machine("Qwen3-4B", "L4", WeightDtype.FP8), TimingPresets.L4_QWEN3_4B_FP8);

    private MachineTimings() {}

    public static TimingPreset of(ServedModel served) {
        boolean plain =
                served.settings().tensorParallel() == 1 && served.settings().kvDtype() == KvDtype.BF16;
        Machine machine = new Machine(
                served.model().name(), served.gpu().name(), served.settings().weightDtype());
        return plain && MEASURED.containsKey(machine)
                ? MEASURED.get(machine).preset()
                : TimingPreset.roofline(served.model(), served.gpu(), served.settings());
    }
}

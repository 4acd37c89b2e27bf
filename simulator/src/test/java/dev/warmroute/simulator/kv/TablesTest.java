package dev.warmroute.simulator.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import java.io.StringReader;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesTest {
    private static final double GIB = 1L << 30;

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "RTX A4000, RTX A4000",
        "a4000, RTX A4000",
        "rtx-a4000, RTX A4000",
        "NVIDIA RTX A4000, RTX A4000",
        "A100, A100-80GB SXM",
        "a100 80gb, A100-80GB SXM",
        "NVIDIA A100-SXM4-80GB, A100-80GB SXM",
        "NVIDIA A100 80GB PCIe, A100-80GB PCIe",
        "A100-40GB, A100-40GB SXM",
        "h100, H100 SXM",
        "NVIDIA H100 80GB HBM3, H100 SXM",
        "NVIDIA GeForce RTX 4090, RTX 4090",
        "Tesla T4, T4",
        "l4, L4",
        "l40s, L40S",
        "NVIDIA H200, H200 SXM",
    })
    void gpusAreFoundAsPeopleAndDriversWriteThem(String written, String name) {
        assertThat(Gpus.named(written).name()).isEqualTo(name);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "Qwen3-4B, Qwen3-4B",
        "qwen3 4b, Qwen3-4B",
        "Qwen/Qwen3-4B-Instruct-2507, Qwen3-4B",
        "Qwen3-4B-FP8, Qwen3-4B",
        "meta-llama/Llama-3.1-8B-Instruct, Llama-3.1-8B",
        "RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8, Llama-3.1-8B",
        "Qwen/Qwen3.8-27B, Qwen3.5-27B",
        "openai/gpt-oss-20b, gpt-oss-20b",
        "deepseek-ai/DeepSeek-R1, DeepSeek-V3",
        "google/gemma-3-27b-it, Gemma-3-27B",
        "Qwen/Qwen3-Coder-30B-A3B-Instruct, Qwen3-30B-A3B",
    })
    void modelsAreFoundAsTheyAreServed(String written, String name) {
        assertThat(Models.named(written).name()).isEqualTo(name);
    }

    @Test
    void anUnknownNameIsRefusedWithTheNearestOnes() {
        assertThatThrownBy(() -> Gpus.named("RTX A400"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("unknown GPU 'RTX A400'; nearest: RTX A4000,");
        assertThatThrownBy(() -> Models.named("Qwen3-5B"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("unknown model 'Qwen3-5B'")
                .hasMessageContaining("Qwen3-4B");
        assertThatThrownBy(() -> KvDtype.named("fp9"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("fp8");
        assertThatThrownBy(() -> Models.named("")).isInstanceOf(UserError.class);
        assertThat(Models.contains("GPT-5")).isFalse();
        assertThat(Gpus.contains("h100")).isTrue();
    }

    @Test
    void everyRowHasItsSourceAndConfidence() {
        assertThat(Models.all()).hasSize(35).allSatisfy(model -> {
            assertThat(model.source()).isNotBlank();
            assertThat(model.confidence()).isNotBlank();
            assertThat(model.activeParameters()).isPositive().isLessThan(model.parameters());
        });
        assertThat(Gpus.all()).hasSize(23).allSatisfy(gpu -> {
            assertThat(gpu.source()).isNotBlank();
            assertThat(gpu.visibleGib() * GIB).isLessThanOrEqualTo(gpu.nominalGb() * GIB);
        });
    }

    @ParameterizedTest(name = "{0} in {1}: {2} GiB")
    @CsvSource({
        "Qwen3-4B, bf16, 7.49",
        "Llama-3.1-8B, bf16, 14.96",
        "Llama-3.2-3B, bf16, 5.98",
        "Qwen3-4B, fp8, 4.11",
        "Qwen3.6-27B, nvfp4, 17.81",
        "DeepSeek-V3, fp8, 626.6",
    })
    void weightsKeepTheirEmbeddingsInSixteenBits(String model, String dtype, double gib) {
        assertThat(Models.named(model).weightBytes(WeightDtype.named(dtype)) / GIB)
                .isCloseTo(gib, within(0.05));
    }

    @ParameterizedTest(name = "{0}: {1} billion active")
    @CsvSource({"DeepSeek-V3, 35.6", "Qwen3-30B-A3B, 2.7", "gpt-oss-20b, 3.0", "Llama-3.1-8B, 7.0"})
    void aTokenIsMultipliedWithTheChosenExpertsOnly(String model, double billions) {
        assertThat(Models.named(model).activeParameters() / 1e9).isCloseTo(billions, within(0.1));
    }

    @Test
    void aBrokenTableNamesFileRowAndField() {
        String header =
                "name,aliases,nominal_gb,visible_gib,bandwidth_gb_s,dense_bf16_tflops,confidence,source,visible_source\n";

        assertRefused(
                header + "X1,,16,15,abc,10,read,here,here\n",
                "mine.csv row 2: bandwidth_gb_s is 'abc', expected a number");
        assertRefused(header + "X1,,16,15,1\n", "mine.csv row 2: 5 cells, but the header has 9");
        assertRefused(header + "\nX1,,16,,100,10,read,here,here\n", "mine.csv row 3: visible_gib is empty");
        assertRefused(header + "X1,,16,-1,100,10,read,here,here\n", "mine.csv row 2: GPU 'X1'");
        assertRefused(
                header + "X1,,16,15,100,10,r,s,v\nx-1,,16,15,100,10,r,s,v\n",
                "mine.csv row 3: two entries are called like GPU 'x-1'");
        assertRefused("name\nX1\n", "mine.csv: there is no column 'aliases'");
        assertRefused("", "mine.csv: empty");
    }

    @Test
    void aTableOfOnesOwnIsReadLikeOurs() {
        String csv =
                "name,aliases,nominal_gb,visible_gib,bandwidth_gb_s,dense_bf16_tflops,confidence,source,visible_source\n"
                        + "\"My, card\",old;\"odd \"\"one\"\"\",16,15,100,10,read,here,here\n";

        Names<GpuSpec> mine = Gpus.read("mine.csv", new StringReader(csv));

        assertThat(mine.all()).containsExactly("My, card");
        assertThat(mine.named("odd one").name()).isEqualTo("My, card");
    }

    @Test
    void anotherLayoutIsRefused() {
        String csv = "name,layout\nM,sparse\n";

        assertThatThrownBy(() -> Models.read("models.csv", new StringReader(csv)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("models.csv");
    }

    @Test
    void nearestNamesAreOrderedAndAtMostThree() {
        Names<String> names = new Names<String>("fruit", Set.of())
                .add("apple", List.of(), "a")
                .add("apply", List.of(), "b")
                .add("maple", List.of(), "c")
                .add("plum", List.of(), "d");

        assertThat(names.nearest("appl")).containsExactly("apple", "apply", "maple");
    }

    private static void assertRefused(String csv, String message) {
        assertThatThrownBy(() -> Gpus.read("mine.csv", new StringReader(csv)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(message);
    }
}

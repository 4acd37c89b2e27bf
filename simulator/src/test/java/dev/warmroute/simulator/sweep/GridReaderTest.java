package dev.warmroute.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridReaderTest {
    private static List<Scenario> scenarios(String yaml) {
        return List.copyOf(Grids.parse(yaml).scenarios().values());
    }

    @Test
    void aGridHasEveryCombinationOnceAndTheLastAxisRunsFastest() {
        List<Scenario> all = scenarios("""
                workload: lm-warden
                policies: [random, warden]
                sessions: [8, 16]
                capacities: [2095, unlimited]
                replicas: [2, 4]
                seeds: 1..3
                engines: [0.32.0, 0.11.0]
                """);
        assertThat(all).hasSize(2 * 2 * 2 * 2 * 3 * 2).doesNotHaveDuplicates();
        assertThat(all.subList(0, 7))
                .extracting(s -> s.seed() + s.policy().label() + s.sessions().getAsInt())
                .containsExactly("1random8", "2random8", "3random8", "1warden8", "2warden8", "3warden8", "1random16");
        assertThat(all.get(12).cache()).isEqualTo(CacheChoice.UNLIMITED);
        assertThat(all.get(24).replicas()).hasValue(4);
        assertThat(all.get(48).engine().vllm()).isEqualTo("0.11.0");
    }

    @Test
    void whatIsLeftOutIsTheMachinesOwn() {
        assertThat(scenarios("{workload: lm-warden, policies: warden}"))
                .singleElement()
                .satisfies(s -> {
                    assertThat(s.cache()).isEqualTo(CacheChoice.OWN);
                    assertThat(s.replicas()).isEmpty();
                    assertThat(s.sessions()).isEmpty();
                    assertThat(s.seed()).isEqualTo(1);
                    assertThat(s.engine()).isEqualTo(EngineChoice.newest());
                });
    }

    @Test
    void theParametersOfAPolicyAreAxesOfTheirOwn() {
        assertThat(scenarios("""
                workload: lm-warden
                policies:
                  - {name: warden, overflow_threshold: 2..4}
                  - warden:overflow_threshold=8
                """))
                .extracting(s -> s.policy().label())
                .containsExactly(
                        "warden:overflow_threshold=2",
                        "warden:overflow_threshold=3",
                        "warden:overflow_threshold=4",
                        "warden:overflow_threshold=8");
    }

    @Test
    void anEngineIsAVersionOrASetOfSettings() {
        assertThat(scenarios("""
                workload: lm-warden
                policies: warden
                engines:
                  - {name: small, vllm: 0.26.0, max_num_seqs: 4, max_num_batched_tokens: 512, block_size: 32, timing: h100-8b}
                """))
                .singleElement()
                .extracting(Scenario::engine)
                .isEqualTo(new EngineChoice(
                        "small",
                        "0.26.0",
                        Optional.of("h100-8b"),
                        OptionalInt.of(32),
                        OptionalInt.of(4),
                        OptionalInt.of(512),
                        OptionalInt.empty()));
    }

    @Test
    void aTraceIsNamedWithItsHashAndItsMode() throws Exception {
        SweepSubject.OfTrace trace = (SweepSubject.OfTrace) Grids.parse("""
                trace: mooncake:../data/examples/mooncake-small.jsonl
                policies: warden
                mode: serial
                """).subject();
        assertThat(trace.mode()).contains(Subject.Mode.SERIAL);
        assertThat(trace.sha256())
                .isEqualTo(SweepTask.sha256(Files.readAllBytes(Path.of("../data/examples/mooncake-small.jsonl"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "{workload: lm-warden, polices: warden}; polices: unknown key; did you mean 'policies'?",
                "{workload: lm-warden, policies: wardn}; policies: there is no policy 'wardn'; did you mean 'warden'?",
                "{workload: lm-warden, policies: [random, {name: warden, overflow: 2}]}; policies[1]: ",
                "{workload: lm-warden, policies: [{overflow_threshold: 2}]}; policies[0]: a policy needs a 'name'",
                "{workload: lm-warden}; 'policies' is missing",
                "{policies: warden}; either 'trace' or 'workload'",
                "{workload: lm-warden, trace: t, policies: warden}; either 'trace' or 'workload'",
                "{workload: lm-wardn, policies: warden}; workload: there is no workload 'lm-wardn'",
                "{workload: lm-warden, policies: warden, mode: closed}; mode: a workload is a closed loop",
                "{trace: t, policies: warden, mode: opn}; mode: there is no mode 'opn'; did you mean 'open'?",
                "{trace: t, policies: warden, mode: open, sessions: 4}; sessions: sessions are played as closed loops",
                "{trace: t, policies: warden, seconds: 4}; seconds: a trace is replayed to its end",
                "{trace: nowhere, policies: warden}; trace: there is no trace 'nowhere'",
                "{trace: 'kafka://warmroute', policies: warden}; trace: kafka://warmroute changes while the sweep runs",
                "{workload: lm-warden, policies: warden, seconds: -1}; seconds: expected a number above 0, not '-1'",
                "{workload: lm-warden, policies: warden, sessions: recorded}; sessions: expected a whole number from 1 on, not 'recorded'",
                "{workload: lm-warden, policies: warden, sessions: [8, 8..9]}; sessions[1]: is the same as sessions[0]; name each once",
                "{workload: lm-warden, policies: warden, sessions: 9..8}; sessions: '9..8' is no range",
                "{workload: lm-warden, policies: warden, sessions: 1..9 times 1}; sessions: '1..9 times 1' is no range",
                "{workload: lm-warden, policies: warden, sessions: []}; sessions: is an empty list",
                "{workload: lm-warden, policies: warden, capacities: [0]}; capacities[0]: a cache has at least 1 block, not 0",
                "{workload: lm-warden, policies: warden, capacities: much}; capacities: 'much' is no capacity",
                "{workload: lm-warden, policies: warden, replicas: 10001}; replicas: a fleet has at most 10000 replicas",
                "{workload: lm-warden, policies: warden, seeds: 0}; seeds: expected a whole number from 1 on, not '0'",
                "{workload: lm-warden, policies: warden, seeds: 1..99999, sessions: 1..999}; more than 1000000 scenarios",
                "{workload: lm-warden, policies: warden, engines: 0.10}; engines: write a version with three numbers",
                "{workload: lm-warden, policies: warden, engines: [0.1.0]}; engines[0]: vLLM 0.1.0 is older than all that are simulated",
                "{workload: lm-warden, policies: warden, engines: [{vlm: 0.32.0}]}; engines[0].vlm: unknown key; did you mean 'vllm'?",
                "{workload: lm-warden, policies: warden, engines: [{timing: h100}]}; engines[0]: unknown timing preset 'h100'",
                "{workload: lm-warden, policies: warden, engines: [{max_num_seqs: few}]}; engines[0].max_num_seqs: expected a whole",
                "{workload: lm-warden, policies: warden, engines: [0.32.0, {max_num_seqs: 4}]}; engines: two are called '0.32.0'",
                "[workload]; expected a map of keys, not a list",
                "{workload: lm-warden, workload: l4-cliff}; line 1: not YAML: Duplicate",
            })
    void whatIsWrongIsToldWithItsPathAndWhatWasExpected(String yaml, String message) {
        assertThatThrownBy(() -> Grids.parse(yaml))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("grid.yaml: ")
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @Test
    void theManualHasEveryKey() throws Exception {
        String manual = Files.readString(Path.of("../docs/SWEEPS.md"));
        for (GridKey key : GridKey.values()) {
            assertThat(manual).contains("| `" + key.path() + "` | " + key.meaning() + " |");
        }
    }

    @Test
    void aScenarioIsTheSameWhereverItStandsInItsGrid() {
        Sweep few = Grids.parse("{workload: lm-warden, policies: warden, sessions: [8], seeds: [2]}");
        Sweep more = Grids.parse("{workload: lm-warden, policies: [random, warden], sessions: [4, 8], seeds: 1..2}");
        assertThat(more.scenarios()).containsAllEntriesOf(few.scenarios());
        assertThat(more.hash()).isNotEqualTo(few.hash());
    }

    @Test
    void aTaskSurvivesItsJson() {
        Sweep sweep = Grids.parse("""
                workload: l4-cliff
                seconds: 0.1
                policies: [{name: warden, overflow_threshold: 3}]
                capacities: [unlimited, 7 tokens]
                sessions: 9
                engines: [{name: e, timing: instant, max_model_len: 999}]
                """);
        for (String id : sweep.scenarios().keySet()) {
            SweepTask again = SweepTask.parse(sweep.task(id).json());
            assertThat(again).isEqualTo(sweep.task(id));
            assertThat(again.id()).isEqualTo(id);
        }
    }
}

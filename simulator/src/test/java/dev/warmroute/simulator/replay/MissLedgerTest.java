package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissLedgerTest {
    private static final int B = 16;
    private final MissLedger ledger = new MissLedger(B, 2, new ChainInterner(B));

    @Test
    void allOfAFirstTurnIsNewAndSoIsWhatALaterTurnAdds() {
        Turn first = turn(0, Prompt.of(0, 100), 20);
        ledger.admitted(first, 0, 0, 16, 16);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 84L));
        ledger.ended(first, 0, 0);
        // history of 120 tokens, of which 119 were computed: 112 in full blocks; 30 new ones
        ledger.admitted(turn(1, Prompt.of(0, 150), 20), 0, 0, 112, 112);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 84L + 30, MissCause.ROUNDING, 8L));
    }

    @Test
    void historyThatIsGoneWasOverwrittenWhileWaitingOrBefore() {
        Turn first = turn(0, Prompt.of(0, 160), 1);
        ledger.ended(first, 0, 1);
        ledger.admitted(turn(1, Prompt.of(0, 170), 1), 0, 1, 96, 32);
        assertThat(charged())
                .isEqualTo(Map.of(
                        MissCause.EVICTED_WAITING, 64L,
                        MissCause.EVICTED_IDLE, 64L,
                        MissCause.ROUNDING, 1L,
                        MissCause.FIRST_TURN, 9L));
    }

    @Test
    void historyOnAnotherReplicaWasMoved() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 1);
        ledger.admitted(turn(1, Prompt.of(0, 170), 1), 0, 0, 0, 0);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.MOVED, 160L, MissCause.ROUNDING, 1L, MissCause.FIRST_TURN, 9L));
    }

    @Test
    void aPromptThatDepartsFromItsHistoryIsEditedUpToTheOldLengthAndNewBeyond() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 0);
        Prompt edited = Prompt.builder().span(0, 50).span(5000, 150).build();
        ledger.admitted(turn(1, edited, 1), 0, 0, 48, 48);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.ROUNDING, 2L, MissCause.HISTORY_EDITED, 111L, MissCause.FIRST_TURN, 39L));
    }

    @Test
    void unknownTokensBehindTheLastFullBlockAreRoundingAndNoEdit() {
        ledger.ended(turn(0, Prompt.builder().span(0, 160).span(9000, 5).build(), 1), 0, 0);
        ledger.admitted(turn(1, Prompt.of(0, 200), 1), 0, 0, 160, 160);
        assertThat(charged()).isEqualTo(Map.of(MissCause.ROUNDING, 5L, MissCause.FIRST_TURN, 35L));
    }

    @Test
    void requestsWithoutASessionAreComparedBlockByBlock() {
        ledger.admitted(turn(0, Prompt.of(0, 64), 1), -1, 0, 0, 0);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 64L));
        // the same on the other replica: three blocks moved, the last can never hit
        ledger.admitted(turn(1, Prompt.of(0, 64), 1), -1, 1, 0, 0);
        // the same again where it was: one block left at arrival, none at admission
        ledger.admitted(turn(2, Prompt.of(0, 70), 1), -1, 0, 16, 0);
        assertThat(charged())
                .isEqualTo(Map.of(
                        MissCause.FIRST_TURN, 64L,
                        MissCause.MOVED, 48L,
                        MissCause.EVICTED_WAITING, 16L,
                        MissCause.EVICTED_IDLE, 48L,
                        MissCause.ROUNDING, 16L + 6));
    }

    @ParameterizedTest
    @CsvSource({
        "mooncake, mooncake/synthetic_trace.jsonl, round_robin, 512, 2000",
        "claude-code, claude-code/claude_code_ctx64k_b512.jsonl, random, 16, 20000",
        "fleet, vllm-fleet/warden-16.jsonl.gz, warden, 32, 299",
        "fleet, vllm-fleet/random-8.jsonl.gz, random, 32, 299"
    })
    void theCausesSumToTheMissedTokens(String format, String file, String policy, int blockSize, int blocks) {
        TraceLoad load = new TraceLoad(TraceSource.read(format + ":" + Data.file(file)).turns());
        EngineConfig engine = EngineConfig.defaults().withBlockSize(blockSize).withUsableBlocks(blocks);
        FleetSpec fleet = FleetSpec.of(4, engine, TimingPresets.DEFAULT.preset());
        Outcome timed = FleetReplay.run(
                load.index().sessions() > 0 ? load.closed(0) : load.open(),
                fleet,
                Policies.create(policy, Map.of(), 64),
                new Seeds(1),
                Progress.NONE);
        assertThat(sum(timed.missedTokens())).isEqualTo(missed(timed.requests()));
        Outcome serial = SerialReplay.run(
                load.turns(), load.index(), 4, engine, Policies.create(policy, Map.of(), 64), new Seeds(1));
        assertThat(sum(serial.missedTokens())).isEqualTo(missed(serial.requests()));
        assertThat(serial.missedTokens()[MissCause.EVICTED_WAITING.ordinal()]).isZero();
    }

    private static long missed(RequestLog log) {
        long missed = 0;
        for (int r = 0; r < log.size(); r++) {
            missed += log.wasAdmitted(r) ? log.promptTokens(r) - log.cachedTokens(r) : 0;
        }
        return missed;
    }

    private static long sum(long[] tokens) {
        long sum = 0;
        for (long t : tokens) {
            sum += t;
        }
        return sum;
    }

    private Map<MissCause, Long> charged() {
        Map<MissCause, Long> charged = new EnumMap<>(MissCause.class);
        long[] tokens = ledger.tokens();
        for (MissCause cause : MissCause.values()) {
            if (tokens[cause.ordinal()] > 0) {
                charged.put(cause, tokens[cause.ordinal()]);
            }
        }
        return charged;
    }

    private static Turn turn(int index, Prompt prompt, int output) {
        return new Turn(
                index, 0, "a", "", index + 1, 0, prompt, output, prompt.start(0) + prompt.tokens(), Turn.Recorded.NOTHING);
    }
}

package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MissLedgerTest {
    private static final int B = 16;
    private final RequestLog log = new RequestLog();
    private final MissLedger ledger = new MissLedger(B, 2, new ChainInterner(B), log);

    @Test
    void allOfAFirstTurnIsNewAndSoIsWhatALaterTurnAdds() {
        Turn first = turn(0, Prompt.of(0, 100), 20);
        admitted(first, 0, 0, 16, 16);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 84L));
        ledger.ended(first, 0, 0);
        // history of 120 tokens, of which 119 were computed: 112 in full blocks; 30 new ones
        admitted(turn(1, Prompt.of(0, 150), 20), 0, 0, 112, 112);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 84L + 30, MissCause.ROUNDING, 8L));
    }

    @Test
    void historyThatIsGoneWasOverwrittenWhileWaitingOrBefore() {
        Turn first = turn(0, Prompt.of(0, 160), 1);
        ledger.ended(first, 0, 1);
        admitted(turn(1, Prompt.of(0, 170), 1), 0, 1, 96, 32);
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
        admitted(turn(1, Prompt.of(0, 170), 1), 0, 0, 0, 0);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.MOVED, 160L, MissCause.ROUNDING, 1L, MissCause.FIRST_TURN, 9L));
    }

    @Test
    void aPromptThatDepartsFromItsHistoryIsEditedUpToTheOldLengthAndNewBeyond() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 0);
        Prompt edited = Prompt.builder().span(0, 50).span(5000, 150).build();
        admitted(turn(1, edited, 1), 0, 0, 48, 48);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.ROUNDING, 2L, MissCause.HISTORY_EDITED, 111L, MissCause.FIRST_TURN, 39L));
    }

    @Test
    void aPromptThatDepartsABlockBeforeTheOldOneEndsIsEditedAndOneThatDepartsLaterIsNot() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 0);
        admitted(turn(1, Prompt.builder().span(0, 144).span(5000, 56).build(), 1), 0, 0, 144, 144);
        assertThat(charged()).isEqualTo(Map.of(MissCause.HISTORY_EDITED, 17L, MissCause.FIRST_TURN, 39L));
        ledger.ended(turn(2, Prompt.of(0, 160), 1), 1, 0);
        admitted(turn(3, Prompt.builder().span(0, 145).span(5000, 55).build(), 1), 1, 0, 144, 144);
        assertThat(charged())
                .isEqualTo(
                        Map.of(MissCause.HISTORY_EDITED, 17L, MissCause.FIRST_TURN, 39L + 40, MissCause.ROUNDING, 16L));
    }

    @Test
    void noCacheGivesBackTheLastGeneratedTokenNorTheLastOfAPrompt() {
        // 150 + 10 tokens, of which 159 were computed: 9 whole blocks
        ledger.ended(turn(0, Prompt.of(0, 150), 10), 0, 0);
        admitted(turn(1, Prompt.of(0, 170), 1), 0, 0, 144, 144);
        assertThat(charged()).isEqualTo(Map.of(MissCause.ROUNDING, 16L, MissCause.FIRST_TURN, 10L));
        // of a prompt of 160 tokens 9 whole blocks, though its history is longer
        ledger.ended(turn(2, Prompt.of(0, 160), 20), 1, 0);
        admitted(turn(3, Prompt.of(0, 160), 1), 1, 0, 144, 144);
        assertThat(charged()).isEqualTo(Map.of(MissCause.ROUNDING, 32L, MissCause.FIRST_TURN, 10L));
    }

    @Test
    void whatWasSaidInSeveralPiecesIsKnownThroughout() {
        Prompt pieces = Prompt.builder().span(0, 64).span(5000, 65).build();
        admitted(turn(0, Prompt.of(0, 64), 1), -1, 0, 64, 64);
        admitted(turn(1, pieces, 1), -1, 0, 129, 129);
        admitted(turn(2, pieces, 1), -1, 0, 0, 0);
        assertThat(charged()).isEqualTo(Map.of(MissCause.EVICTED_IDLE, 128L, MissCause.ROUNDING, 1L));
    }

    @Test
    void theKeysOfTheCausesAreThoseOfTheEventsInTheirOrder() {
        assertThat(Arrays.stream(MissCause.values()).map(MissCause::wireName))
                .containsExactly(
                        "replica_restarted",
                        "moved",
                        "first_turn",
                        "history_edited",
                        "evicted_waiting",
                        "evicted_idle",
                        "rounding");
    }

    @Test
    void unknownTokensBehindTheLastFullBlockAreRoundingAndNoEdit() {
        ledger.ended(turn(0, Prompt.builder().span(0, 160).span(9000, 5).build(), 1), 0, 0);
        admitted(turn(1, Prompt.of(0, 200), 1), 0, 0, 160, 160);
        assertThat(charged()).isEqualTo(Map.of(MissCause.ROUNDING, 5L, MissCause.FIRST_TURN, 35L));
    }

    @Test
    void requestsWithoutASessionAreComparedBlockByBlock() {
        admitted(turn(0, Prompt.of(0, 64), 1), -1, 0, 0, 0);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 64L));
        // the same on the other replica: three blocks moved, the last can never hit
        admitted(turn(1, Prompt.of(0, 64), 1), -1, 1, 0, 0);
        // the same again where it was: one block left at arrival, none at admission
        admitted(turn(2, Prompt.of(0, 70), 1), -1, 0, 16, 0);
        assertThat(charged())
                .isEqualTo(Map.of(
                        MissCause.FIRST_TURN, 64L,
                        MissCause.MOVED, 48L,
                        MissCause.EVICTED_WAITING, 16L,
                        MissCause.EVICTED_IDLE, 48L,
                        MissCause.ROUNDING, 16L + 6));
    }

    @Test
    void aReplicaThatStartedAgainIsToBlameForWhatItHadComputed() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 1);
        ledger.restarted(1);
        admitted(turn(1, Prompt.of(0, 170), 1), 0, 1, 0, 0);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.REPLICA_RESTARTED, 160L, MissCause.ROUNDING, 1L, MissCause.FIRST_TURN, 9L));
    }

    @Test
    void itIsToBlameWhereverTheTurnGoes() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 1);
        ledger.restarted(1);
        admitted(turn(1, Prompt.of(0, 170), 1), 0, 0, 0, 0);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.REPLICA_RESTARTED, 160L, MissCause.ROUNDING, 1L, MissCause.FIRST_TURN, 9L));
    }

    @Test
    void aRestartOfTheReplicaThatATurnMovesToIsNotToBlame() {
        ledger.ended(turn(0, Prompt.of(0, 160), 1), 0, 1);
        ledger.restarted(0);
        admitted(turn(1, Prompt.of(0, 170), 1), 0, 0, 0, 0);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.MOVED, 160L, MissCause.ROUNDING, 1L, MissCause.FIRST_TURN, 9L));
    }

    @Test
    void whatIsComputedAgainAfterARestartIsThereAgainAndIsChargedOnce() {
        Turn cutOff = turn(0, Prompt.of(0, 65), 1);
        admitted(cutOff, -1, 0, 0, 0);
        ledger.restarted(0);
        admitted(turn(1, Prompt.of(9000, 16), 1), -1, 1, 16, 16); // meanwhile, elsewhere
        ledger.computedAgain(cutOff, -1, 0);
        assertThat(charged()).isEqualTo(Map.of(MissCause.FIRST_TURN, 65L));
        admitted(turn(1, Prompt.of(0, 65), 1), -1, 0, 64, 0);
        assertThat(charged())
                .containsEntry(MissCause.EVICTED_WAITING, 64L)
                .doesNotContainKey(MissCause.REPLICA_RESTARTED);
    }

    @Test
    void aRestartIsToBlameForRequestsWithoutASessionUntilTheBlocksAreComputedAgain() {
        admitted(turn(0, Prompt.of(0, 65), 1), -1, 0, 0, 0);
        ledger.restarted(0);
        admitted(turn(1, Prompt.of(0, 65), 1), -1, 0, 0, 0);
        assertThat(charged())
                .isEqualTo(Map.of(MissCause.FIRST_TURN, 65L, MissCause.REPLICA_RESTARTED, 64L, MissCause.ROUNDING, 1L));
        admitted(turn(2, Prompt.of(0, 65), 1), -1, 0, 0, 0);
        assertThat(charged())
                .containsEntry(MissCause.REPLICA_RESTARTED, 64L)
                .containsEntry(MissCause.EVICTED_IDLE, 64L);
    }

    private void admitted(Turn turn, int conversation, int replica, int cachedAtArrival, int cached) {
        int request = log.add(turn, conversation, conversation);
        ledger.admitted(request, turn, conversation, replica, cachedAtArrival, cached);
    }

    private Map<MissCause, Long> charged() {
        Map<MissCause, Long> charged = new EnumMap<>(MissCause.class);
        for (int r = 0; r < log.size(); r++) {
            for (MissCause cause : MissCause.values()) {
                charged.merge(cause, (long) log.missed(r, cause), Long::sum);
            }
        }
        charged.values().removeIf(t -> t == 0);
        return charged;
    }

    private static Turn turn(int index, Prompt prompt, int output) {
        return new Turn(
                index,
                0,
                "a",
                "",
                index + 1,
                0,
                prompt,
                output,
                prompt.start(0) + prompt.tokens(),
                Turn.Recorded.NOTHING);
    }
}

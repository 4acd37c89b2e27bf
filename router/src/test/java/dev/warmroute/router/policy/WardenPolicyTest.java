package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.fleet.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WardenPolicyTest {
    /** max_num_seqs 32, so that a home overflows from 8 requests on. */
    private final RoutingPolicy warden = Policies.create("warden", Map.of(), 32);

    @ParameterizedTest(name = "{3}")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "s, 2/0 1/0 3/0,                      placed 1 1,    a new conversation goes where the least is in flight",
                "s, 1/3 3/0 1/1,                      placed 2 2,    a live session weighs as much as a request",
                "s, 0/1 1/0,                          placed 1 1,    equal scores: fewest live sessions",
                "s, 1/1 1/1 1/1,                      placed 0 0,    equal scores and sessions: lowest index",
                "s, 0/0/.5@10 3/0/.1@10,              placed 1 1,    a full cache weighs 8 requests",
                "s, 0/0/1.7@10 8/0/0@10,              placed 0 0,    usage above 1 counts as 1",
                "s, 0/0/.5@15001 3/0/.1@10,           placed 0 0,    one reading too old: no cache term for anybody",
                "s, 0/0/.5@15000 3/0/.1@10,           placed 1 1,    a reading of exactly 15 s counts",
                "s, 0/0 3/0/.1@10,                    placed 0 0,    one replica never read: no cache term for anybody",
                "s, x0/0 3/0/.1@10 0/0/.9@10,         placed 1 1,    a replica that may not be chosen need not have been read",
                "s, 0/0/.5001@10 0/0/.50004@10,       placed 1 1,    a difference in the third decimal decides",
                "s, 0/1/.5@10 1/0/.50004@10,          placed 1 1,    a difference below the third decimal is a tie",
                "s, *7/4 0/0,                         sticky 0 0,    at home below the threshold",
                "s, *8/4 0/0,                         overflow 1 0,  at the threshold one request goes elsewhere and the home stays",
                "s, *8/4 9/0 8/0,                     sticky 0 0,    nowhere is less in flight: it stays",
                "s, *9/4 9/0 8/0,                     overflow 2 0,  overflow goes where the least is in flight",
                "s, *9/4 2/9 2/0,                     overflow 1 0,  overflow looks at requests only; lowest index on ties",
                "s, *9/4 x0/0 3/0,                    overflow 2 0,  overflow only to a replica that may be chosen",
                "s, 8/0/0@10 8/0/.2@10 9/0/0@10,      placed 0 0,    a new conversation on a busy home that is least busy stays",
                "s, 9/0/0@10 8/0/.9@10,               overflow 1 0,  a new conversation may overflow at once and has its home all the same",
                "s, *x0/4 3/0 2/0,                    failover 2 2,  the home cannot be used: a new one by the same rule",
                "s, *x0/4 9/0/0@10 8/0/.9@10,         overflow 2 1,  failover may overflow too",
                "'', *2/0 1/0 1/0,                    balanced 1 -,  no conversation known: least in flight and no home",
                "s, x0/0 x0/0,                        unrouted - -,  nobody may be chosen",
                "s, *x0/0 x0/0,                       unrouted - 0,  nobody may be chosen: the home stays for later",
            })
    void placesKeepsAndOverflowsAsLmWardenDoes(String session, String fleet, String expected, String why) {
        Placement placement = warden.choose(FleetText.request(session), FleetText.view(fleet));
        assertThat(FleetText.words(placement)).as(why).isEqualTo(expected);
    }

    @Test
    void scoresAreTheFormulaForThoseThatMayBeChosen() {
        Placement placement =
                warden.choose(FleetText.request("s"), FleetText.view("2/3/.1234567@10 x1/0/.1@10 0/0/.0078125@10"));
        assertThat(placement.scores()).as("ties to even: .0625 is .062").containsExactly(5.988, Double.NaN, .062);
        assertThat(placement.threshold()).isEqualTo(8);
        assertThat(placement.propensity()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"32,8", "256,64", "1,1", "3,1", "7,1", "8,2"})
    void theThresholdIsAQuarterOfMaxNumSeqs(int maxNumSeqs, String threshold) {
        assertThat(Policies.create("warden", Map.of(), maxNumSeqs).spec().parameters())
                .containsEntry("overflow_threshold", threshold);
        assertThat(Policies.create("warden", Map.of("overflow_threshold", "auto"), maxNumSeqs)
                        .spec()
                        .parameters())
                .containsEntry("overflow_threshold", threshold);
    }

    @Test
    void weightsAndThresholdCanBeSet() {
        RoutingPolicy policy = Policies.create(
                "warden",
                Map.of("overflow_threshold", "2", "live_weight", "0", "kv_weight", "0.5", "max_counter_age_ms", "100"),
                32);
        assertThat(FleetText.words(policy.choose(FleetText.request("s"), FleetText.view("*2/0 1/0"))))
                .isEqualTo("overflow 1 0");
        assertThat(policy.choose(FleetText.request("s"), FleetText.view("0/9/1@100 1/0/0@50"))
                        .scores())
                .containsExactly(.5, 1);
        assertThat(policy.choose(FleetText.request("s"), FleetText.view("0/9/1@101 1/0/0@50"))
                        .scores())
                .containsExactly(0, 1);
    }

    /** Every new conversation counts as live at its home at once, so that a burst spreads before any counter moves. */
    @Test
    void aBurstOfNewConversationsSpreadsEvenly() {
        int[] live = new int[4];
        for (int i = 0; i < 64; i++) {
            List<ReplicaView> replicas = new ArrayList<>();
            for (int r = 0; r < live.length; r++) {
                replicas.add(new ReplicaView("r" + r, true, "", live[r], live[r], Signals.NONE, -1, Map.of()));
            }
            live[
                    warden.choose(FleetText.request("s" + i), new FleetView(replicas, FleetView.NONE, Map.of()))
                            .home()]++;
        }
        assertThat(live).containsOnly(16);
    }
}

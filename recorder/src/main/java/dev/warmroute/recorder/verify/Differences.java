package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.verify.Verification.Difference;
import java.util.ArrayList;
import java.util.List;

/** The first differences that were found, over all checks. */
final class Differences {
    private final int limit;
    private final List<Difference> first = new ArrayList<>();

    /** @param limit how many to keep */
    Differences(int limit) {
        this.limit = limit;
    }

    void add(String check, RecordedEvent event, String field, Object recorded, Object derived) {
        add(new Difference(
                check,
                event.id(),
                event.place(),
                event.subject(),
                field,
                String.valueOf(recorded),
                String.valueOf(derived)));
    }

    void add(Difference difference) {
        if (first.size() < limit) {
            first.add(difference);
        }
    }

    List<Difference> first() {
        return first;
    }
}

package dev.warmroute.router.state;

import dev.warmroute.router.event.Home;

/** Hears what the homes topic says, each partition in order of its offsets. May be called from any one thread. */
public interface HomesListener {
    /** Takes the next record, a home or the word that one is {@link Home#forgotten forgotten}. */
    void read(Home home, long offset);

    /** Everything that was in the topic when reading began has been told. */
    void restored();

    /** Called now and then: time to forget conversations that nobody uses any more. */
    void sweep();
}

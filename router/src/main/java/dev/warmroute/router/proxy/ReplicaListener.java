package dev.warmroute.router.proxy;

/** Hears of replicas that come and go. Called on the thread that saw it, which must not be kept. */
public interface ReplicaListener {
    /** Nobody needs to know. */
    ReplicaListener NONE = new ReplicaListener() {
        @Override
        public void up(String replica) {}

        @Override
        public void down(String replica) {}
    };

    /** It answers, and may be chosen: for the first time, or again. */
    void up(String replica);

    /** It may not be chosen, or is a member no more. */
    void down(String replica);
}

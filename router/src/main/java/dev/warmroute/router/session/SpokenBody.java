package dev.warmroute.router.session;

/** What a request's body can tell about who is speaking; asked only when the headers do not. */
public interface SpokenBody {
    /** Says nothing. */
    SpokenBody NOTHING = () -> BodyIds.NONE;

    BodyIds ids();

    /**
     * What the conversation began with, model included: the same for all its turns, different for most conversations. Empty
     * when nobody wants to know or it cannot be told.
     */
    default String opening() {
        return "";
    }
}

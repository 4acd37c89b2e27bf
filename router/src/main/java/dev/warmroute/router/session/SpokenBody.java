package dev.warmroute.router.session;

/** What a request's body can tell about who is speaking; see {@link SessionResolver#asksBody}. */
@FunctionalInterface
public interface SpokenBody {
    /** Says nothing. */
    SpokenBody NOTHING = field -> "";

    /** Value of a field; empty when it is not there or not of the kind that it should be. */
    String value(BodyField field);

    /**
     * What the conversation began with, model included: the same for all its turns, different for most conversations. Empty
     * when nobody wants to know or it cannot be told.
     */
    default String opening() {
        return "";
    }
}

package dev.warmroute.router.session;

/** A request's headers in the order in which they came. */
public interface RequestHeaders {
    int size();

    /** Name in lower case. */
    String name(int index);

    /** Value without surrounding blanks. */
    String value(int index);

    /** Whether the request is one of Anthropic's messages: Claude Code's side calls are, and no other request needs a look. */
    default boolean messages() {
        return true;
    }

    /**
     * First value of a header, or the empty string.
     *
     * @param name in lower case
     */
    default String first(String name) {
        for (int i = 0; i < size(); i++) {
            if (name(i).equals(name)) {
                return value(i);
            }
        }
        return "";
    }
}

package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A prompt that replicas are to know before the first client sends it.
 *
 * @param name what it is called in log and status; unique in its file
 * @param chat body of a chat request without its model: {@code messages}, and where given {@code tools} and
 *     {@code chat_template_kwargs}; a copy is handed out
 */
public record WarmPrompt(String name, ObjectNode chat) {
    private static final String MESSAGES = "messages";
    private static final String ROLE = "role";
    private static final String USER = "user";
    private static final String CONTENT = "content";

    public WarmPrompt {
        if (name.isBlank() || !(chat.get(MESSAGES) instanceof ArrayNode messages) || messages.isEmpty()) {
            throw new IllegalArgumentException("a warm prompt needs a name and messages");
        }
        chat = chat.deepCopy();
    }

    @Override
    public ObjectNode chat() {
        return chat.deepCopy();
    }

    /**
     * The chat with something else said by the user at its end: in place of what the last message says where that is the
     * user's, in a message of its own otherwise. What a client will say there is not known, so it is no part of what is warm.
     */
    public ObjectNode asking(String words) {
        ObjectNode asking = chat();
        ArrayNode messages = (ArrayNode) asking.get(MESSAGES);
        ObjectNode last = (ObjectNode) messages.get(messages.size() - 1);
        ObjectNode user = last.path(ROLE).asText().equals(USER)
                ? last
                : messages.addObject().put(ROLE, USER);
        user.put(CONTENT, words);
        return asking;
    }

    /** Never shows what is said. */
    @Override
    public String toString() {
        return "WarmPrompt[" + name + ", " + chat.get(MESSAGES).size() + " messages]";
    }
}

package dev.warmroute.simulator.replica;

import java.util.Objects;

/** One message of a chat as the template sees it: who speaks, and everything that is said as one text. */
record ChatMessage(String role, String text) {
    ChatMessage {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(text, "text");
    }
}

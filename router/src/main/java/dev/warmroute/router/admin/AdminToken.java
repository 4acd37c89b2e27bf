package dev.warmroute.router.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** The token that changes need. */
final class AdminToken {
    private static final String SCHEME = "Bearer ";

    private final Optional<String> token;

    AdminToken(Optional<String> token) {
        this.token = token;
    }

    /** Refuses a change that does not carry the token; how long that takes does not tell how wrong it was. */
    void require(AdminCall call) {
        String expected = token.orElseThrow(
                () -> new AdminRefusal(
                        403,
                        "changes are refused, because there is no admin.token in router.yaml; set one and start the router again"));
        String given = call.authorization();
        if (given.isEmpty()) {
            throw new AdminRefusal(
                    401, "changes need the header 'Authorization: Bearer TOKEN', with admin.token of router.yaml");
        }
        boolean scheme = given.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        String candidate = scheme ? given.substring(SCHEME.length()).strip() : "";
        if (!MessageDigest.isEqual(
                candidate.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8))) {
            throw new AdminRefusal(401, "this is not the token of admin.token in router.yaml");
        }
    }
}

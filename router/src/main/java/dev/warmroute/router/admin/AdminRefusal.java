package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.config.ConfigError;
import dev.warmroute.router.config.ConfigError.Problem;
import java.util.List;

/** A request that is answered with an error: {@code {"error": {"message": ..., "problems": [{"field", "expected"}]}}}. */
final class AdminRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient List<Problem> problems;

    AdminRefusal(int status, String message) {
        this(status, message, List.of());
    }

    AdminRefusal(int status, String message, List<Problem> problems) {
        super(message, null, false, false);
        this.status = status;
        this.problems = problems;
    }

    static AdminRefusal of(ConfigError wrong) {
        return new AdminRefusal(400, wrong.getMessage(), wrong.problems());
    }

    AdminAnswer answer() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode error = root.putObject("error").put("message", getMessage());
        ArrayNode list = error.putArray("problems");
        problems.forEach(p -> list.addObject().put("field", p.path()).put("expected", p.message()));
        AdminAnswer answer = AdminAnswer.json(status, root);
        return status == 401 ? answer.with("www-authenticate", "Bearer realm=\"warmroute\"") : answer;
    }
}

package dev.warmroute.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.config.RouterConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where a router's configuration comes from: a file, or a command line that names the replicas and leaves the rest as it is by default. */
final class RouterSetup {
    private static final String COMMAND_LINE = "the command line";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Stands for the name that the replicas have not been asked for yet. */
    private static final String UNNAMED = "model";

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "router.yaml")
    private Path file;

    @ArgGroup(exclusive = false)
    private Named named;

    /** What is said without a file. */
    static final class Named {
        @Option(
                names = "--replica",
                required = true,
                paramLabel = "URL",
                description = "A replica, instead of a file with all of them; again for each further one.")
        private List<String> replicas;

        @Option(
                names = "--port",
                paramLabel = "PORT",
                defaultValue = "8080",
                description = "Port for clients, on the loopback address (default: ${DEFAULT-VALUE}).")
        private int port;

        @Option(
                names = "--admin-port",
                paramLabel = "PORT",
                description = "Port of panel and status (default: the next one).")
        private Integer adminPort;

        @Option(
                names = "--model",
                paramLabel = "NAME",
                description = "What the replicas serve (default: what the first one says).")
        private String model;

        private String yaml(String name) {
            ObjectNode root = JsonNodeFactory.instance.objectNode().put("listen", "127.0.0.1:" + port);
            int next = port == 0 ? 0 : port + 1;
            ObjectNode admin =
                    root.putObject("admin").put("listen", "127.0.0.1:" + (adminPort == null ? next : adminPort));
            String token = System.getenv("WARMROUTE_ADMIN_TOKEN");
            if (token != null) {
                admin.put("token", "${WARMROUTE_ADMIN_TOKEN}");
            }
            ArrayNode list =
                    root.putArray("models").addObject().put("name", name).putArray("replicas");
            for (int i = 0; i < replicas.size(); i++) {
                list.addObject().put("id", "r" + i).put("url", replicas.get(i));
            }
            return root.toString();
        }
    }

    /** How it is called in messages. */
    String name() {
        return named == null ? file.toString() : COMMAND_LINE;
    }

    /** @param checkOnly whether nothing may be asked over the network */
    RouterConfig read(boolean checkOnly) throws InterruptedException {
        if (named == null) {
            return RouterConfig.read(file);
        }
        RouterConfig config = RouterConfig.parse(COMMAND_LINE, named.yaml(named.model == null ? UNNAMED : named.model));
        return checkOnly || named.model != null
                ? config
                : RouterConfig.parse(
                        COMMAND_LINE, named.yaml(served(config.models().get(0).replicas())));
    }

    /** The model that the first replica to answer says it serves. */
    private static String served(List<ReplicaConfig> replicas) throws InterruptedException {
        String why = "";
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build()) {
            for (ReplicaConfig replica : replicas) {
                try {
                    HttpRequest request = HttpRequest.newBuilder(replica.at("/v1/models"))
                            .timeout(PATIENCE)
                            .build();
                    String answer = http.send(request, BodyHandlers.ofString()).body();
                    String name =
                            new ObjectMapper().readTree(answer).at("/data/0/id").asText();
                    if (!name.isEmpty()) {
                        return name;
                    }
                    why = replica.url() + " answers, but does not say";
                } catch (IOException e) {
                    why = replica.url() + " does not answer";
                }
            }
        }
        throw new UserError(
                "no replica says which model it serves (" + why + "); start one first, or give --model NAME");
    }
}

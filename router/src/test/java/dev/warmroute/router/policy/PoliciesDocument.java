package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.policy.PolicyParameters.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes docs/POLICIES.md from the registry. */
final class PoliciesDocument {
    private static final String HEAD = """
            # Routing policies

            A policy decides which replica has a request. The live router and the simulator run the same classes, so every policy
            here can be tried on recorded traffic before it is let near production:

            ```
            warmroute whatif kafka://warmroute --policy warden,sgl_cache_aware,dynamo_kv:overlap_weight=2
            ```

            and in `router.yaml`, as a name or with parameters:

            ```yaml
            models:
              - name: qwen3-4b
                policy: {name: warden, overflow_threshold: 8}
            ```

            This page is generated from the registry, `router/.../policy/Policies.java`; a test fails when it is out of date, and
            `mvn -pl router test -Dtest=PoliciesDocumentTest -Dupdate` writes it anew. Formulas and ties stand in each class.

            **Pure.** A policy has no clock, no memory and no randomness but the request's own seed. What it needs to know is
            handed in with the request and written into `routing.decision.v1`: `trace verify` derives every decision again from
            its own event. A randomised policy says with which probability it chose (`propensity`).

            **Conversations.** Policies that keep conversations treat a request without one as `balanced`: it goes where the fewest
            requests are in flight. A home that may not be chosen is replaced (`failover`).

            **What prompts say.** Policies that read `predicted_cached_tokens` or `prefix_key` need the fingerprint of a prompt before
            they decide: blocks of 64 tokens (256 bytes), hashed with the router's salt. They pay for it with every
            request, the others do not. With `prompt.fingerprint: off` they are refused.

            """;

    private PoliciesDocument() {}

    static String markdown() {
        StringBuilder out = new StringBuilder(HEAD);
        out.append("## Overview\n\n| policy | what it does | from |\n|---|---|---|\n");
        for (Policies p : Policies.values()) {
            out.append("| [`")
                    .append(p.policyName())
                    .append("`](#")
                    .append(p.policyName())
                    .append(") | ");
            out.append(p.summary()).append(" | ").append(p.source()).append(" |\n");
        }
        inputs(out);
        for (Policies p : Policies.values()) {
            policy(out, p);
        }
        return out.toString();
    }

    private static void inputs(StringBuilder out) {
        out.append("\n## Inputs\n\n");
        out.append(
                "Every policy sees the requests in flight, the live conversations and the eligibility of each replica. What else\n");
        out.append(
                "it reads it declares; under these names the values are in the event, `policy_inputs` for the model and\n");
        out.append("`candidates[].inputs` for a replica.\n\n| input | of | meaning |\n|---|---|---|\n");
        for (Input input : Input.values()) {
            String of = switch (input.scope()) {
                case FIELD -> "field";
                case MODEL -> "model";
                case REPLICA -> "replica";
            };
            out.append("| ")
                    .append(code(input))
                    .append(" | ")
                    .append(of)
                    .append(" | ")
                    .append(input.meaning())
                    .append(" |\n");
        }
    }

    private static void policy(StringBuilder out, Policies p) {
        RoutingPolicy policy = Policies.create(p.policyName(), Map.of(), Policies.ASSUMED_MAX_NUM_SEQS);
        Needs needs = policy.needs();
        out.append("\n## ").append(p.policyName()).append("\n\n");
        out.append(sentence(p.summary())).append(" From: ").append(p.source()).append(". ");
        out.append("Class `")
                .append(policy.getClass().getSimpleName())
                .append("`, version ")
                .append(policy.spec().version())
                .append('.');
        if (!p.aliases().isEmpty()) {
            out.append(" Also called ")
                    .append(p.aliases().stream().map(a -> '`' + a + '`').collect(Collectors.joining(", ")))
                    .append('.');
        }
        out.append("\n\nReads: ")
                .append(needs.inputs().isEmpty() ? "nothing else" : inputs(needs))
                .append(".\n");
        List<Parameter> parameters = p.parameters();
        if (!parameters.isEmpty()) {
            out.append("\n| parameter | default | meaning |\n|---|---|---|\n");
            for (Parameter parameter : parameters) {
                out.append("| `")
                        .append(parameter.name())
                        .append("` | ")
                        .append(parameter.byDefault())
                        .append(" | ");
                out.append(parameter.meaning()).append(" |\n");
            }
        }
    }

    private static String inputs(Needs needs) {
        return Arrays.stream(Input.values())
                .filter(needs::has)
                .map(PoliciesDocument::code)
                .collect(Collectors.joining(", "));
    }

    private static String code(Input input) {
        String names = input.wireName().replace(", ", "`, `");
        return '`' + names + '`' + (input == Input.TRUE_CACHE ? " (true)" : "");
    }

    private static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + '.';
    }
}

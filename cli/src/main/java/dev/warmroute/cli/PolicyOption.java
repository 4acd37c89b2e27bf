package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;

/** A policy on the command line: {@code warden}, or with parameters {@code warden:overflow_threshold=4:kv_weight=0}. */
final class PolicyOption implements ITypeConverter<PolicyChoice> {
    @Override
    public PolicyChoice convert(String text) {
        String[] parts = text.split(":");
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new UserError("--policy " + text + ": '" + parts[i] + "' is not NAME=VALUE");
            }
            parameters.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        return new PolicyChoice(parts[0], parameters);
    }
}

package dev.warmroute.cli;

import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import picocli.CommandLine.ITypeConverter;

/** A policy on the command line: {@code warden}, or with parameters {@code warden:overflow_threshold=4:kv_weight=0}. */
final class PolicyOption implements ITypeConverter<PolicyChoice> {
    @Override
    public PolicyChoice convert(String text) {
        return PolicyChoice.parse(text);
    }
}

package dev.warmroute.simulator.sweep;

/**
 * A row of a sweep's table.
 *
 * @param number of the scenario, from 0 on
 */
public record SweepRow(int number, Scenario scenario, ScenarioResult result) {}

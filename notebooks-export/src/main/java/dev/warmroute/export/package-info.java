/**
 * What warmroute shows: {@code figure} holds numbers with units and the tables made of them, {@code chart} draws them,
 * {@code report} writes the report, {@code table} writes tables for notebooks.
 */
package dev.warmroute.export;

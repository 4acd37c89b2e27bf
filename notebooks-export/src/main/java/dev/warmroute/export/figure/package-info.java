/** Numbers with units: one way to write each, and the tables that charts, reports and their checks share. */
package dev.warmroute.export.figure;

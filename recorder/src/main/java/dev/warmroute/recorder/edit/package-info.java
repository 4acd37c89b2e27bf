/** New traces out of others: cut, joined, and under another salt. Every step is told in the new trace's manifest. */
package dev.warmroute.recorder.edit;

/** What-if: the same requests under several policies and fleets, and the recording itself as a row beside them. */
package dev.warmroute.simulator.compare;

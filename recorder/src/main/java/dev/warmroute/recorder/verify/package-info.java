/**
 * Proof that a recording is whole and true: every decision is derived again from its own event, and the accounts of
 * requests, places and counters are balanced. One class for each check.
 */
package dev.warmroute.recorder.verify;

/**
 * The {@code warmroute} command: one class a command. A command reads its options, calls the module that does the work and
 * prints what came out; results go to standard output, progress and errors to standard error.
 */
package dev.warmroute.cli;

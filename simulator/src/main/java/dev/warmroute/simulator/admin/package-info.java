/** A running router, asked and changed over its admin address. */
package dev.warmroute.simulator.admin;

/**
 * What is going on, in figures: kept from the events as they are published, so that looking costs the data path nothing. Time
 * is that of the events.
 */
package dev.warmroute.router.figures;

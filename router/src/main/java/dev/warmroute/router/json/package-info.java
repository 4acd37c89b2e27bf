/** Reads a few fields out of JSON that arrives in pieces, without building a tree. */
package dev.warmroute.router.json;

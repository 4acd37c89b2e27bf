/** Reads what the engine says about a request's tokens out of its answer in passing, without holding a byte back. */
package dev.warmroute.router.proxy.usage;

/**
 * HTTP/1.1 as far as a proxy needs it: strict about what clients send, so that router and replica never disagree on where a
 * request ends; exact about where an answer ends, so that its bytes can be passed on untouched. No I/O.
 */
package dev.warmroute.router.proxy.http;

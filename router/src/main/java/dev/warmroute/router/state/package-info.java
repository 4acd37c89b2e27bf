/**
 * What the router remembers: homes, live sessions, requests in flight. Time is handed in, so the live router and the
 * simulator share these classes; they are not thread-safe, their owner serialises the calls.
 */
package dev.warmroute.router.state;

/**
 * The data path on Netty: a request is read whole (its body is what routing needs), sent to the chosen replica as it came,
 * and the answer's bytes are passed back as they arrive. A client and the replica that answers it share one event loop;
 * nothing here waits.
 */
package dev.warmroute.router.proxy;

/** Reads the replicas' metrics over HTTP, on connections and a thread of its own, and tells of what they gained. */
package dev.warmroute.router.scrape;

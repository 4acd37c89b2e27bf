/** Warm prompts: known system prompts are put into the cache of a replica that is cold, before the first client asks. */
package dev.warmroute.router.warm;

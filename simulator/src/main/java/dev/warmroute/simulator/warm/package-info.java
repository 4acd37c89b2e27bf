/** Which prompts replicas could compute before anybody asks: what first turns of a trace share, and descriptions of warm prompts. */
package dev.warmroute.simulator.warm;

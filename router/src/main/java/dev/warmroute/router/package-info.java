/** What the whole product shares about errors; see the packages below for the router itself. */
package dev.warmroute.router;

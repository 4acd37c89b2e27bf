/** One replay seen from inside: what the report draws and lists of it, of bounded size however long it was. */
package dev.warmroute.export.run;

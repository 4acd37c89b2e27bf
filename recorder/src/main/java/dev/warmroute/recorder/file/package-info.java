/** How files are written that people and other programs read: whole, or not at all. */
package dev.warmroute.recorder.file;

/** Reads the homes topic: the homes of this router's earlier runs, and those that other routers give now. */
package dev.warmroute.router.homes;

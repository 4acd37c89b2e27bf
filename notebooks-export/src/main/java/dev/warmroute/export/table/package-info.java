/**
 * Tables for notebooks: rows are records, a {@link dev.warmroute.export.table.TableSchema} names their columns, and one
 * writer makes CSV and Parquet of them. Every table has a column {@code schema_version}.
 */
package dev.warmroute.export.table;

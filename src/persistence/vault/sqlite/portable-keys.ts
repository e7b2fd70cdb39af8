import type { DataKeyRow, TenantKeyRow } from '../key-store-port.ts'

/**
 * Wrapped bytes travel between threads as latin1 text, because cloning a Buffer would clone the pool that it is a slice
 * of.
 */
export type Portable<Row extends { readonly wrapped: Buffer }> = Omit<Row, 'wrapped'> & {
  readonly wrapped: string
}
export type PortableDataKey = Portable<DataKeyRow>
export type PortableTenantKey = Portable<TenantKeyRow>

export const toPortable = <Row extends { readonly wrapped: Buffer }>(row: Row): Portable<Row> => ({
  ...row,
  wrapped: row.wrapped.toString('latin1'),
})

export const fromPortable = <Row extends { readonly wrapped: string }>(
  row: Row,
): Omit<Row, 'wrapped'> & { readonly wrapped: Buffer } => ({
  ...row,
  wrapped: Buffer.from(row.wrapped, 'latin1'),
})

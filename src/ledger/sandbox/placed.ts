/** Where something stands on the ledger, and since when in Unix seconds. */
export type Placed = { readonly seqNo: number; readonly txnTime: number }
export type Written = Placed & { readonly did: string; readonly data: Readonly<Record<string, unknown>> }

export type PoolStart = { readonly folder: string; readonly host: string; readonly firstPort: number }

export type FromPool =
  | { readonly is: 'ready'; readonly genesis: string; readonly endorserSeed: string }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'bug'; readonly name: string }

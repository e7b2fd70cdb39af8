export type ToChild =
  | { readonly is: 'connect'; readonly id: number; readonly connection: string; readonly tenant: string }
  | { readonly is: 'endpoint'; readonly id: number; readonly tenant: string; readonly url: string }

export type FromChild =
  | { readonly is: 'started' }
  | { readonly is: 'done'; readonly id: number; readonly secret: string | null }
  | { readonly is: 'failed'; readonly id: number; readonly reason: string }
  | { readonly is: 'trouble'; readonly text: string }

import type { ServerKind } from './jars.ts'

export type UpOptions = {
  readonly nodes: number
  readonly cqlPort: number
  readonly kafkaPort: number
  readonly commitLogSync: 'batch' | 'periodic'
}

export type Endpoint = { readonly kind: ServerKind; readonly endpoint: string }
export type Status = Endpoint & { readonly state: string; readonly detail: string }

/** What the command can do, whether the compose file or this machine's Java runs the servers. */
export type Infrastructure = {
  up(kinds: readonly ServerKind[], options: UpOptions): Promise<readonly Endpoint[]>
  down(kinds: readonly ServerKind[], wipe: boolean): Promise<void>
  status(kinds: readonly ServerKind[]): Promise<readonly Status[]>
  logs(kinds: readonly ServerKind[], follow: boolean): void
}

import type { Eventually } from '../domain/eventually.ts'
import type { Directory } from '../ports/directory.ts'
import type { ReadableKind } from './read-record.ts'
import type { KnownTemplate, TemplateContent } from './proof-template/commands.ts'
import type { Retention } from './tenant/retention.ts'
import type { IssuedWallet, WalletOrder } from './wallet/commands.ts'
import type { TemplateChanges } from './proof-template/rules.ts'
import type { WalletRecord } from './wallet/rules.ts'
import type { Refused } from '../domain/refused.ts'

/** What the routes call; composed outside. */
export type Api = {
  readonly directory: Directory
  readonly namespace: string
  readonly read: <Value extends { readonly tenant: string }>(
    tenant: string,
    kind: ReadableKind,
    id: string,
  ) => Eventually<Value | null>
  readonly newId: {
    /** Of a record by itself. */
    readonly of: (kind: string) => string
  }
  readonly now: () => number
  readonly issueWalletToken: (order: WalletOrder) => Promise<IssuedWallet | Refused>
  readonly revokeWallet: (tenant: string, id: string) => Promise<WalletRecord | Refused>
  readonly createProofTemplate: (content: TemplateContent, id: string) => Promise<KnownTemplate | Refused>
  readonly editProofTemplate: (
    tenant: string,
    id: string,
    changes: TemplateChanges,
  ) => Promise<KnownTemplate | Refused>
  readonly archiveProofTemplate: (tenant: string, id: string) => Promise<KnownTemplate | Refused>
  readonly readRetention: (tenant: string) => Promise<Retention | Refused>
  readonly setRetention: (tenant: string, retentionDays: number) => Promise<Retention | Refused>
}

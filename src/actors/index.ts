import { apiKeyKind } from './api-key/index.ts'
import { definitionKind } from './credential-definition/index.ts'
import type { Kind } from './define-kind.ts'
import { templateKind } from './proof-template/index.ts'
import { schemaKind } from './schema/index.ts'
import { tenantKind } from './tenant/index.ts'
import { walletKind } from './wallet/index.ts'

/**
 * Every kind of record, in the order in which their routes are described. A new kind is a folder beside this file and
 * a line here.
 */
export const kinds: readonly Kind[] = [
  schemaKind,
  definitionKind,
  templateKind,
  walletKind,
  tenantKind,
  apiKeyKind,
]

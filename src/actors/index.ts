import { accountKind } from './account/index.ts'
import { actingKind } from './acting/index.ts'
import { auditEntryKind } from './audit-entry/index.ts'
import type { Kind } from './define-kind.ts'
import { rosterKind } from './roster/index.ts'
import { signInLockoutKind } from './sign-in-lockout/index.ts'

/** Every kind of record. A new kind is a folder beside this file and a line here. */
export const kinds: readonly Kind[] = [accountKind, rosterKind, signInLockoutKind, auditEntryKind, actingKind]

import type { Kind } from './define-kind.ts'

/** Every kind of record. A new kind is a folder beside this file and a line here. */
export const kinds: readonly Kind[] = []

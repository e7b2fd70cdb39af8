import { describe, expectTypeOf, it } from 'vitest'
import type { Crossing } from '../../src/domain/crossing.ts'
import type { Refused } from '../../src/domain/decider.ts'
import type { Parked } from '../../src/ports/parking.ts'

type Kind<Command, Reply = null, View = null> = {
  readonly state: null
  readonly command: Command
  readonly event: null
  readonly reply: Reply
  readonly views: { readonly record: View }
  readonly owed: never
}

describe('what goes to other nodes', () => {
  it('is JSON, however deep', () => {
    type Deep = { readonly is: 'deep'; readonly list?: readonly { readonly of: readonly Parked[] }[] }
    expectTypeOf<Crossing<Kind<Deep, Deep | null, Refused>>>().toBeUnknown()
  })

  it('is nothing that JSON loses, and the error names the field', () => {
    type Lost<Command> = Crossing<Kind<Command>>
    expectTypeOf<Lost<{ readonly at: Date }>>().toEqualTypeOf<{ readonly doesNotCross: DateFields }>()
    expectTypeOf<Lost<{ readonly of: { readonly given: string | undefined }[] }>>().toEqualTypeOf<{
      readonly doesNotCross: 'command.of[].given'
    }>()
    expectTypeOf<Lost<{ readonly bytes: Uint8Array }>>().not.toBeUnknown()
    expectTypeOf<Lost<{ readonly all: ReadonlyMap<string, string> }>>().not.toBeUnknown()
    expectTypeOf<Lost<{ readonly count: bigint }>>().not.toBeUnknown()
    expectTypeOf<Lost<readonly [() => void]>>().not.toBeUnknown()
    expectTypeOf<Crossing<Kind<null, undefined>>>().toEqualTypeOf<{ readonly doesNotCross: 'reply' }>()
    expectTypeOf<Crossing<Kind<null, null, { readonly x: undefined }>>>().toEqualTypeOf<{
      readonly doesNotCross: 'record.x'
    }>()
  })
})

describe('what a kind answers', () => {
  it('is not taken for a refusal, and the error names the field', () => {
    type Known = { readonly is: 'known'; readonly reason: string }
    type Counted = { readonly refused: number }
    type Told = { readonly refused: 'not_found'; readonly reason: string }
    type Looks<Name extends string> = { readonly looksRefused: Name }
    expectTypeOf<Crossing<Kind<Counted, Known, Known | null>>>().toBeUnknown()
    expectTypeOf<Crossing<Kind<null, Known | Counted>>>().toEqualTypeOf<Looks<'reply.refused'>>()
    expectTypeOf<Crossing<Kind<null, null, Told>>>().toEqualTypeOf<Looks<'record.refused'>>()
    expectTypeOf<Crossing<Kind<null, null, Told | Refused>>>().toEqualTypeOf<Looks<'record.refused'>>()
    expectTypeOf<Crossing<Omit<Kind<null>, 'event'> & { readonly event: Partial<Told> }>>().not.toBeUnknown()
    // A refusal may say more than that it is one.
    expectTypeOf<Crossing<Kind<null, Known | (Refused & { readonly retryAfterMs: number })>>>().toBeUnknown()
  })
})

type DateFields = 'command.at' | `command.at.${Extract<keyof Date, string>}`

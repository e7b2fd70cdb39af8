import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { CodecError, clearPart, codec, eventCodec } from '../../src/host/codec.ts'
import { shortCodec } from '../../src/host/short-codec.ts'
import { ErasedSeal, RecordKey } from '../../src/persistence/vault/record-key.ts'

const seal = new RecordKey('cre_07aaaaaaaaaaaa', 'ten_01bbbbbbbbbb', null, [
  { id: 'keyA5678', root: randomBytes(32), sealing: null },
])
const erased = new ErasedSeal('cre_07aaaaaaaaaaaa')

const Attributes = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])
const offered = {
  version: 1,
  schema: Type.Object(
    {
      type: Type.Literal('CredentialOffered'),
      atMs: Type.Integer(),
      attributes: Attributes,
      label: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    },
    { additionalProperties: false },
  ),
  personal: ['attributes', 'label'],
} as const
const declined = {
  version: 1,
  schema: Type.Object({ type: Type.Literal('CredentialDeclined'), atMs: Type.Integer() }),
} as const

const events = eventCodec({ CredentialOffered: offered, CredentialDeclined: declined } as const)
const event = {
  type: 'CredentialOffered',
  atMs: 5,
  attributes: { name: 'Alice "Ö" \u2028' },
  label: 'phone',
} as const

describe('codec', () => {
  it('gives back what it was given', () => {
    expect(events.decode(events.encode(event, seal), seal)).toEqual(event)
    const other = { type: 'CredentialDeclined', atMs: 9 } as const
    expect(events.decode(events.encode(other, null), null)).toEqual(other)
  })

  it('writes personal fields as null beside one sealed part', () => {
    const text = events.encode(event, seal)
    expect(text).not.toContain('Alice')
    expect(text).not.toContain('phone')
    expect(clearPart(text)).toEqual({
      version: 1,
      data: { type: 'CredentialOffered', atMs: 5, attributes: null, label: null },
      sealed: true,
    })
  })

  it('writes the same short, and reads what was written in full as well', () => {
    const short = shortCodec(events)
    const text = short.encode(event, seal)
    const full = events.encode(event, seal)
    expect(text.length).toBeLessThan(full.length)
    for (const written of [text, full]) expect(short.decode(written, seal)).toEqual(event)
    expect(clearPart(text)).toEqual(clearPart(full))
  })

  it('reads each personal field as null when the key is gone', () => {
    const text = events.encode(event, seal)
    expect(events.decode(text, erased)).toEqual({ ...event, attributes: null, label: null })
  })

  it('needs no key for what has nothing personal in it any more', () => {
    const bare = { ...event, attributes: null, label: null }
    expect(events.decode(events.encode(bare, erased), erased)).toEqual(bare)
    const { label: _, ...absent } = bare
    expect(events.decode(events.encode(absent, null), null)).toEqual(absent)
  })

  it('keeps a sealed part from opening beside other data', () => {
    const one = events.encode(event, seal)
    const two = events.encode({ ...event, atMs: 6 }, seal)
    const moved = two.slice(0, two.indexOf(',"s":')) + one.slice(one.indexOf(',"s":'))
    expect(() => events.decode(moved, seal)).toThrow('altered or moved')
    expect(() => events.decode(one.replace('"atMs":5', '"atMs":7'), seal)).toThrow('altered or moved')
  })

  it('refuses to write or read what the schema does not allow, and names the place but not the value', () => {
    const wrong = { ...event, attributes: { name: 42 } } as unknown as typeof event
    expect(() => events.encode(wrong, seal)).toThrow(/^CredentialOffered v1 is invalid at \/attributes/)
    const secret = { ...event, atMs: 'my secret' } as unknown as typeof event
    expect(() => events.encode(secret, seal)).toThrow(CodecError)
    expect(() => events.encode(secret, seal)).not.toThrow(/my secret/)
    expect(() => events.decode('{"v":1,"d":{"type":"CredentialDeclined"}}', null)).toThrow('invalid at')
    for (const text of ['', '{', 'null', '{"v":1}', '{"v":"1","d":{}}', '{"v":1,"d":{},"s":4}'])
      expect(() => events.decode(text, null)).toThrow(CodecError)
    expect(() => events.decode('{"v":1,"d":{"type":"Unheard"}}', null)).toThrow('no event type Unheard')
  })

  it('refuses to seal or unseal without a key', () => {
    expect(() => events.encode(event, null)).toThrow('has no data key')
    expect(() => events.decode(events.encode(event, seal), null)).toThrow('has no data key')
  })

  it('brings old versions up to date, also erased ones, and refuses newer ones', () => {
    const first = codec({
      version: 1,
      schema: Type.Object({ holder: Type.Union([Type.String(), Type.Null()]) }),
      personal: ['holder'],
    })
    const third = codec({
      version: 3,
      schema: Type.Object({ holderName: Type.Union([Type.String(), Type.Null()]), size: Type.Integer() }),
      personal: ['holderName'],
      upcasts: {
        1: ({ holder, ...rest }) => ({ ...rest, holderName: holder }),
        2: (old) => ({ ...old, size: typeof old['holderName'] === 'string' ? old['holderName'].length : 0 }),
      },
    })
    const text = first.encode({ holder: 'Alice' }, seal)
    expect(third.decode(text, seal)).toEqual({ holderName: 'Alice', size: 5 })
    expect(third.decode(text, erased)).toEqual({ holderName: null, size: 0 })
    expect(() => first.decode(third.encode({ holderName: null, size: 1 }, null), null)).toThrow(
      'newer release',
    )
  })

  it('refuses a specification that could not survive an erasure or an old event', () => {
    const schema = Type.Object({ name: Type.String(), age: Type.Union([Type.Integer(), Type.Null()]) })
    expect(() => codec({ version: 1, schema, personal: ['name'] })).toThrow('must admit null')
    expect(() => codec({ version: 1, schema, personal: ['nam' as 'name'] })).toThrow('no field nam')
    expect(() => codec({ version: 3, schema, upcasts: { 1: (old) => ({ ...old }) } })).toThrow(
      'from version 2',
    )
  })

  it('takes a state that is a union, each member with its own personal fields', () => {
    const state = codec({
      version: 1,
      schema: Type.Union([
        Type.Object(
          { status: Type.Literal('offered'), attributes: Attributes },
          { additionalProperties: false },
        ),
        Type.Object({ status: Type.Literal('none') }, { additionalProperties: false }),
      ]),
      personal: ['attributes'],
    })
    const full = { status: 'offered', attributes: { name: 'Bob' } } as const
    expect(state.decode(state.encode(full, seal), seal)).toEqual(full)
    expect(state.decode(state.encode(full, seal), erased)).toEqual({ status: 'offered', attributes: null })
    expect(state.decode(state.encode({ status: 'none' }, null), null)).toEqual({ status: 'none' })
  })
})

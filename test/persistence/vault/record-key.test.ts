import { describe, expect, it } from 'vitest'
import { KeyGone, KeyUnknown } from '../../../src/ports/vault.ts'
import { newKey } from '../../../src/persistence/vault/key-crypto.ts'
import { ErasedSeal, RecordKey } from '../../../src/persistence/vault/record-key.ts'

const named = (id: string) => ({ id, root: newKey(), sealing: null })

describe('record key', () => {
  it('opens what it sealed only for the same record and place', () => {
    const keys = [named('first678')]
    const record = new RecordKey('cre_1', 'ten_1', null, keys)
    const sealed = record.seal('Alice', 'place')
    expect(sealed).toMatch(/^[\w-]+$/)
    expect(record.open(sealed, 'place')).toBe('Alice')
    expect(() => record.open(sealed, 'other')).toThrow('altered or moved')
    expect(() => new RecordKey('cre_2', 'ten_1', null, keys).open(sealed, 'place')).toThrow(
      'altered or moved',
    )
    expect(() => record.open(`Z${sealed.slice(1)}`, 'place')).toThrow('unknown format')
  })

  it('keeps record and place from reading as another pair', () => {
    const keys = [named('first678')]
    const sealed = new RecordKey('a b', 't', null, keys).seal('x', 'c')
    expect(() => new RecordKey('a', 't', null, keys).open(sealed, 'b c')).toThrow('altered or moved')
  })

  it('seals with the first of its keys, in whichever order they came, and opens with any', () => {
    const [first, second] = [named('first678'), named('second78')]
    const ours = new RecordKey('cre_1', 'ten_1', null, [first])
    const rival = new RecordKey('cre_1', 'ten_1', null, [second])
    const [sealed, theirs] = [ours.seal('ours', 'x'), rival.seal('theirs', 'x')]
    expect(() => ours.open(theirs, 'x')).toThrow(KeyUnknown)
    ours.adopt([second, first])
    expect(ours.open(theirs, 'x')).toBe('theirs')
    expect(ours.open(sealed, 'x')).toBe('ours')
    expect(ours.keyId).toBe('first678')
    rival.adopt([first])
    expect(rival.keyId).toBe('first678')
    expect(new RecordKey('cre_1', 'ten_1', null, [second, first]).keyId).toBe('first678')
    expect([ours.has('second78'), ours.has('another8')]).toEqual([true, false])
  })

  it('reads null once it is wiped, and its bytes are overwritten', () => {
    const key = named('first678')
    const record = new RecordKey('cre_1', 'ten_1', null, [key])
    const sealed = record.seal('Alice', 'x')
    record.wipe()
    expect(record.gone).toBe(true)
    expect(record.open(sealed, 'x')).toBeNull()
    expect(() => record.seal('Bob', 'x')).toThrow(KeyGone)
    expect(key.root).toEqual(Buffer.alloc(32))
    expect(key.sealing).toEqual(Buffer.alloc(32))
  })

  it('is gone with the connection above it', () => {
    const connection = new RecordKey('con_1', 'ten_1', null, [named('connect8')])
    const exchange = new RecordKey('cre_1', 'ten_1', connection, [named('first678')])
    const sealed = exchange.seal('Alice', 'x')
    expect(connection.wrappingKey('connect8', 'cre_1')).toHaveLength(32)
    expect(connection.wrappingKey('connect8', 'cre_1')).not.toEqual(
      connection.wrappingKey('connect8', 'cre_2'),
    )
    expect(connection.wrappingKey('missing8', 'cre_1')).toBeNull()
    connection.wipe()
    expect(exchange.gone).toBe(true)
    expect(exchange.open(sealed, 'x')).toBeNull()
    expect(connection.wrappingKey('connect8', 'cre_1')).toBeNull()
  })

  it('has a stand-in for records whose key is not there', () => {
    const seal = new ErasedSeal('cre_1')
    expect(seal.open()).toBeNull()
    expect(() => seal.seal()).toThrow(KeyGone)
  })
})

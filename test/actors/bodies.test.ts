import { describe, expect, it, vi } from 'vitest'
import { BodyMissing, keepBody, openBody } from '../../src/actors/bodies.ts'
import { BODY_LIFE_MS } from '../../src/domain/body-reference.ts'
import { KeyGone, KeyLost, KeyUnknown } from '../../src/ports/vault.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { stillRuntime } from '../host/parts/test-runtime.ts'

const record = 'cre_00aaaaaaaa'

const newPorts = async () => {
  const vault = new MemoryVault()
  await vault.create(record)
  return { bodies: new MemoryBodies(), vault, runtime: stillRuntime() }
}

describe('a body beside the journal', () => {
  it('is sealed under the key of its record, for its own id, and lives longer than any exchange', async () => {
    const ports = await newPorts()
    const body = await keepBody(ports, record, 'Ada Lovelace')
    expect(ports.bodies.endsMs).toBe(ports.runtime.now() + BODY_LIFE_MS)
    expect([...ports.bodies.kept.values()].join()).not.toContain('Lovelace')
    expect(await openBody(ports, record, body)).toBe('Ada Lovelace')
    const another = await keepBody(ports, record, 'Charles Babbage')
    const sealed = ports.bodies.kept.get(`${record}/${another.id}`) ?? ''
    ports.bodies.kept.set(`${record}/${body.id}`, sealed)
    const moved = { id: body.id, hash: another.hash }
    expect(await openBody(ports, record, moved)).not.toBe('Charles Babbage')
  })

  it('that another record keeps ends with the one whose text it is', async () => {
    const ports = await newPorts()
    const of = 'pro_00aaaaaaaa'
    await ports.vault.create(of)
    const body = await keepBody(ports, record, 'text', { of, lifeMs: 1_000 })
    expect([...ports.bodies.kept.keys()]).toEqual([`${record}/${body.id}`])
    const elsewhere = vi.spyOn(ports.vault, 'openElsewhere')
    expect(await openBody(ports, record, body, of)).toBe('text')
    // The node that has the other one may be another than this, and has perhaps erased it.
    expect(elsewhere).toHaveBeenCalledWith(of)
    await ports.vault.erase(of)
    expect(await openBody(ports, record, body, of)).toBeNull()
  })

  it('is opened where a key is not known, by looking for the keys once more', async () => {
    const ports = await newPorts()
    const body = await keepBody(ports, record, 'text')
    const known = await ports.vault.open(record)
    const stale = {
      ...known,
      open: (): never => {
        throw new KeyUnknown(record)
      },
    }
    ports.vault.open = async () => stale
    const elsewhere = vi.spyOn(ports.vault, 'openElsewhere').mockResolvedValue(known)
    expect(await openBody(ports, record, body)).toBe('text')
    expect(elsewhere).toHaveBeenCalledExactlyOnceWith(record)
    elsewhere.mockResolvedValue(stale)
    await expect(openBody(ports, record, body)).rejects.toThrow(KeyUnknown)
  })

  it('that is missing, or is not what was written, is an error as long as its record is not erased', async () => {
    const ports = await newPorts()
    const body = await keepBody(ports, record, 'text')
    ports.bodies.kept.set(`${record}/${body.id}`, 'other')
    await expect(openBody(ports, record, body)).rejects.toThrow(BodyMissing)
    ports.bodies.kept.clear()
    await expect(openBody(ports, record, body)).rejects.toThrow(BodyMissing)
  })

  it('of a record whose key is lost is null, too', async () => {
    const ports = await newPorts()
    const body = await keepBody(ports, record, 'text')
    ports.vault.lost.add(record)
    expect(await openBody(ports, record, body)).toBeNull()
    ports.bodies.kept.clear()
    expect(await openBody(ports, record, body)).toBeNull()
    await expect(keepBody(ports, record, 'late')).rejects.toThrow(KeyLost)
  })

  it('of an erased record is null, whether it is still there or not', async () => {
    const ports = await newPorts()
    const body = await keepBody(ports, record, 'text')
    const gone = (): never => {
      throw new KeyGone(record)
    }
    const erased = { seal: gone, open: () => null, fingerprint: gone }
    ports.vault.open = async () => erased
    expect(await openBody(ports, record, body)).toBeNull()
    ports.bodies.kept.clear()
    expect(await openBody(ports, record, body)).toBeNull()
    await expect(keepBody(ports, record, 'late')).rejects.toThrow(KeyGone)
    expect(ports.bodies.kept.size).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { portsOf } from '../../../tools/harness/ports.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-ports')

describe('the ports of a data folder', () => {
  it('are free ones, all different, and stay with the data', async () => {
    const first = await portsOf(folder, { cql: undefined, storage: undefined, jmx1: undefined })
    expect(new Set(Object.values(first)).size).toBe(3)
    expect(await portsOf(folder, { cql: undefined, storage: undefined, jmx1: undefined })).toEqual(first)
  })

  it('give way to what is asked for', async () => {
    expect(await portsOf(folder, { cql: 12_345 })).toEqual({ cql: 12_345 })
  })
})

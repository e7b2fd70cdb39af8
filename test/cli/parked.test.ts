import { afterAll, describe, expect, it } from 'vitest'
import { retry } from '../../src/cli/parked.ts'
import { parkingOf } from '../../src/actors/parked-record/parking.ts'
import { registerJournal } from '../../src/cli/journal.ts'
import { localService } from '../compose/local-service.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const service = await localService()
afterAll(() => service.close())
const ignore = () => undefined
const parking = parkingOf(service.api.service, { parked: ignore, full: ignore, leftOut: ignore })
const run = (...words: string[]) =>
  vouchsafe([registerJournal], { VOUCHSAFE_DATA_FOLDER: service.folder }, ['journal', 'parked', ...words])

describe('vouchsafe journal parked', () => {
  it('lists what is parked, newest first', async () => {
    expect(await run('list')).toMatchObject({ code: 0, out: 'Nothing is parked.\n' })
    await parking.park(0x2f, { part: 'lists', recordId: 'cre_2faaaaaaaa', error: new RangeError() })
    const id = (await parking.of(0x2f))[0]?.id ?? ''
    const { out } = await run('list')
    expect(out).toMatch(new RegExp(`^${id}  \\S+Z  lists     cre_2faaaaaaaa  RangeError\n$`))
  })

  it('asks for a retry of one that there is', async () => {
    expect(await run('retry', 'prk_2faaaaaaaaaa')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/parked/) as unknown,
    })
  })
})

describe('a retry', () => {
  const parked = (...ids: string[]) => ({ items: ids.map((id) => ({ id })), total: ids.length })

  it('of all says which of them cannot be read still', async () => {
    const asked: string[] = []
    const lists = [
      parked('prk_1', 'prk_2'),
      parked('prk_1', 'prk_2'),
      parked('prk_2', 'prk_3'),
      parked('prk_2'),
    ]
    const call = async (method: string, path: string) => {
      asked.push(`${method} ${path.split('?')[0]}`)
      return method === 'POST' ? {} : ((lists.length > 1 ? lists.shift() : lists[0]) ?? {})
    }
    expect(await retry(call, null, { bar: ignore }, 400)).toEqual({ tried: 2, items: [{ id: 'prk_2' }] })
    expect(asked.filter((each) => each.startsWith('POST'))).toEqual([
      'POST /v1/operator/parked/prk_1/retry',
      'POST /v1/operator/parked/prk_2/retry',
    ])
  })
})

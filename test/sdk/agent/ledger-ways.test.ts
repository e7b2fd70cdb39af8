import { IndyVdrError } from '@hyperledger/indy-vdr-shared'
import { beforeEach, describe, expect, it } from 'vitest'
import { LedgerWays, PROXY_FIRST_MS } from '../../../sdk/core/agent/ledger-ways.ts'
import { SteppedClock } from '../fakes.ts'

const away = new IndyVdrError({ code: 30, message: 'no node answered' })
const fails = async (): Promise<never> => {
  throw away
}

let clock: SteppedClock
let asked: string[]
let ports: () => Promise<unknown>
let proxy: () => Promise<unknown>
let ways: LedgerWays

beforeEach(() => {
  clock = new SteppedClock()
  asked = []
  ports = async () => 'of the nodes'
  proxy = async () => 'of the proxy'
  ways = new LedgerWays({
    clock,
    proxy: {
      answer: (request) => {
        asked.push(`proxy ${request}`)
        return proxy()
      },
    },
  })
})

const ask = (): Promise<unknown> =>
  ways.ask(
    () => 'x',
    () => {
      asked.push('ports')
      return ports()
    },
  )

describe('the ways to the ledger', () => {
  it('are its own ports, as long as they answer', async () => {
    expect(await ask()).toBe('of the nodes')
    expect(asked).toEqual(['ports'])
  })

  it('are the proxy when the ports do not answer, and the ports again after ten minutes', async () => {
    ports = fails
    expect([await ask(), await ask()]).toEqual(['of the proxy', 'of the proxy'])
    expect(asked).toEqual(['ports', 'proxy x', 'proxy x'])
    ports = async () => 'of the nodes'
    await clock.pass(PROXY_FIRST_MS)
    expect(await ask()).toBe('of the nodes')
  })

  it('are the proxy when the ports say nothing for five seconds', async () => {
    ports = () => new Promise(() => undefined)
    const answer = ask()
    await clock.pass(4_999)
    expect(asked).toEqual(['ports'])
    await clock.pass(1)
    expect(await answer).toBe('of the proxy')
  })

  it('are the ports again as soon as the proxy fails', async () => {
    ports = fails
    await ask()
    proxy = fails
    ports = async () => 'of the nodes'
    expect([await ask(), await ask()]).toEqual(['of the nodes', 'of the nodes'])
    expect(asked).toEqual(['ports', 'proxy x', 'proxy x', 'ports', 'ports'])
  })

  it('are none when neither answers, and it is the ports that are said to be away', async () => {
    ports = fails
    proxy = async () => {
      throw new Error('refused')
    }
    await expect(ask()).rejects.toBe(away)
  })

  it('leave what the nodes refuse as it is', async () => {
    const refused = new IndyVdrError({ code: 1, message: 'a mistake' })
    ports = async () => {
      throw refused
    }
    await expect(ask()).rejects.toBe(refused)
    expect(asked).toEqual(['ports'])
  })

  it('are the ports alone where there is no proxy', async () => {
    const alone = new LedgerWays({ clock, proxy: null })
    await expect(alone.ask(() => 'x', fails)).rejects.toBe(away)
  })
})

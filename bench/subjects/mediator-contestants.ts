import { setTimeout as pause } from 'node:timers/promises'
import type { ModuleProcess } from '../../tools/harness/module-process.ts'
import { startProcess } from '../../tools/harness/module-process.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import type { ExchangeStage } from './exchange-stage.ts'

type Credo = typeof import('../baselines/credo-mediator.ts')
type Load = typeof import('../load/mediated-wallets.ts')
type Open = BenchmarkContext<unknown>['open']

/**
 * `implicit`: a message waits until its wallet opens a socket and pings, is pushed on it, and acknowledged by the next
 * thing that the wallet says. `pickup`: the wallet asks for the status over HTTP, fetches and acknowledges. `pushed`: the
 * wallet has a socket open already.
 */
export type Mode = 'implicit' | 'pickup' | 'pushed'

export type Measured = { readonly cpu_ms: number; readonly per_s: number }

export type Amount = {
  readonly messages: number
  readonly atOnce: number
  /** Wallets that are registered, whether they get messages or not. */
  readonly wallets: number
}

/**
 * A message that was pushed to a wallet which says nothing is taken for received five seconds after the answer to a
 * ping; what that costs belongs to the message.
 */
const ACKNOWLEDGED_MS = 7_000

const calls = { implicit: 'forwardAndCome', pickup: 'forwardAndPickUp', pushed: 'forwardAndPush' } as const

export const openWallets = (open: Open): Promise<ModuleProcess<Load>> =>
  open(startProcess<Load>(new URL('../load/mediated-wallets.ts', import.meta.url)))

/** So many messages at a time, each to a wallet of its own, until each of them is there; answers with how many in a second. */
const send = async (load: ModuleProcess<Load>, mode: Mode, { messages, atOnce }: Amount): Promise<number> => {
  const startedMs = performance.now()
  await load.call(calls[mode], messages, atOnce)
  return messages / ((performance.now() - startedMs) / 1_000)
}

const ready = async (load: ModuleProcess<Load>, mode: Mode, { atOnce }: Amount): Promise<void> => {
  if (mode === 'pushed') await load.call('openSockets', atOnce, 'implicit', atOnce)
}

/** A Credo agent in the mediator's place, one for each mode: it decides once for all wallets how it forwards. */
export const credoContestant = async (open: Open, mode: Mode, amount: Amount) => {
  const file = new URL('../baselines/credo-mediator.ts', import.meta.url)
  const credo = await open(startProcess<Credo>(file, { silent: true }))
  const load = await openWallets(open)
  await credo.call('start', mode === 'pickup' ? 'queue' : 'direct')
  await load.call('register', (await credo.call('invite', amount.wallets)).value, amount.atOnce)
  await ready(load, mode, amount)
  return async (): Promise<Measured> => {
    const before = await credo.usage()
    const perS = await send(load, mode, amount)
    return { cpu_ms: ((await credo.usage()).cpuMs - before.cpuMs) / amount.messages, per_s: perS }
  }
}

/** The service, from quiet to quiet. */
export const serviceContestant = async (open: Open, stage: ExchangeStage, mode: Mode, amount: Amount) => {
  const load = await openWallets(open)
  await load.call('install', stage.backend, amount.wallets, amount.atOnce)
  await ready(load, mode, amount)
  return async (): Promise<Measured> => {
    let perS = 0
    const { cpuMs } = await stage.measured(async () => {
      perS = await send(load, mode, amount)
      if (mode === 'pushed') await pause(ACKNOWLEDGED_MS)
    })
    return { cpu_ms: cpuMs / amount.messages, per_s: perS }
  }
}

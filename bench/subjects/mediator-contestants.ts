import { setTimeout as pause } from 'node:timers/promises'
import type { ModuleProcess } from '../../tools/harness/module-process.ts'
import { startProcess } from '../../tools/harness/module-process.ts'
import type { Backend } from '../load/installations.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import type { ExchangeStage } from './exchange-stage.ts'

type Credo = typeof import('../baselines/credo-mediator.ts')
type Load = typeof import('../load/mediated-wallets.ts')
type Open = BenchmarkContext<unknown>['open']

export type Mode = 'implicit' | 'pickup'

export type Measured = { readonly cpu_ms: number; readonly per_s: number }

/**
 * A message that was pushed to a wallet which says nothing is taken for received five seconds after the answer to a
 * ping; what that costs belongs to the message.
 */
const ACKNOWLEDGED_MS = 7_000

export const openWallets = (open: Open): Promise<ModuleProcess<Load>> =>
  open(startProcess<Load>(new URL('../load/mediated-wallets.ts', import.meta.url)))

/** So many messages at a time, each to a wallet of its own, until each of them is there and acknowledged. */
const send = async (load: ModuleProcess<Load>, mode: Mode, messages: number, atOnce: number) => {
  const startedMs = performance.now()
  if (mode === 'pickup') await load.call('forwardAndPickUp', messages, atOnce)
  else await load.call('forwardAndPush', messages, atOnce)
  return messages / ((performance.now() - startedMs) / 1_000)
}

const ready = async (load: ModuleProcess<Load>, mode: Mode, atOnce: number): Promise<void> => {
  if (mode === 'implicit') await load.call('openSockets', atOnce, 'implicit', atOnce)
}

/** A Credo agent in the mediator's place, one for each mode: it decides once for all wallets how it forwards. */
export const credoContestant = async (open: Open, mode: Mode, messages: number, atOnce: number) => {
  const file = new URL('../baselines/credo-mediator.ts', import.meta.url)
  const credo = await open(startProcess<Credo>(file, { silent: true }))
  const load = await openWallets(open)
  await credo.call('start', mode === 'implicit' ? 'direct' : 'queue')
  await load.call('register', (await credo.call('invite', atOnce)).value, atOnce)
  await ready(load, mode, atOnce)
  return async (): Promise<Measured> => {
    const before = await credo.usage()
    const perS = await send(load, mode, messages, atOnce)
    return { cpu_ms: ((await credo.usage()).cpuMs - before.cpuMs) / messages, per_s: perS }
  }
}

/** The service, from quiet to quiet. */
export const serviceContestant = async (
  open: Open,
  { stage, backend }: { readonly stage: ExchangeStage; readonly backend: Backend },
  mode: Mode,
  messages: number,
  atOnce: number,
) => {
  const load = await openWallets(open)
  await load.call('install', backend, atOnce, atOnce)
  await ready(load, mode, atOnce)
  return async (): Promise<Measured> => {
    let perS = 0
    const { cpuMs } = await stage.measured(async () => {
      perS = await send(load, mode, messages, atOnce)
      if (mode === 'implicit') await pause(ACKNOWLEDGED_MS)
    })
    return { cpu_ms: cpuMs / messages, per_s: perS }
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { AccountCommand, AccountReply } from '../../host/parts/account.ts'
import { until } from '../../host/parts/poll.ts'
import type { Order, Report } from './killable-host.ts'

const script = fileURLToPath(new URL('./killable-host.ts', import.meta.url))
const SHARDS = 4
const KILLS = 6
const ASKERS = 16

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'killed-host-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A host in a process of its own. An ask that the kill cut off stays without an answer, as for a caller outside. */
const startHost = async (folder: string) => {
  const child: ChildProcess = fork(script, [folder, String(SHARDS)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  closing.push(() => child.kill('SIGKILL'))
  const waiting = new Map<number, (report: Report | null) => void>()
  const ended = once(child, 'exit')
  void ended.then(() => {
    for (const settle of waiting.values()) settle(null)
  })
  child.on('message', (report: Report) => waiting.get(report.id)?.(report))
  await once(child, 'message')
  let ids = 0
  const ask = (actor: string, command: AccountCommand, commandId: string): Promise<AccountReply | null> => {
    const order: Order = { id: ++ids, actor, command, commandId }
    return new Promise((resolve) => {
      waiting.set(order.id, (report) => resolve((report?.reply as AccountReply | undefined) ?? null))
      if (child.exitCode !== null || child.signalCode !== null) resolve(null)
      else child.send(order, () => undefined)
    })
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { ask, kill }
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
const actorOf = (asker: number): string => `acc_0${asker % SHARDS}asker${String(asker).padStart(5, '0')}`

describe('a host that is killed again and again under load', () => {
  it('loses nothing it has answered, doubles nothing that is repeated, and forgets nothing it owes', async () => {
    const folder = newFolder()
    const acknowledged = Array.from({ length: ASKERS }, () => 0)
    const payments: string[] = []
    let host = await startHost(folder)
    const end = new AbortController()

    // Each asker repeats a command under its id until it is answered; it never has two of them under way.
    const asker = async (index: number): Promise<void> => {
      for (let step = 0; !end.signal.aborted; step++) {
        const pays = step % 5 === 4
        const payment = `p-${index}-${step}`
        const command: AccountCommand = pays ? { type: 'Pay', id: payment } : { type: 'Deposit', amount: 1 }
        let reply: AccountReply | null = null
        while (reply === null) {
          const current = host
          reply = await current.ask(actorOf(index), command, `c-${index}-${step}`)
          if (reply === null && current === host) await new Promise((resolve) => setTimeout(resolve, 10))
        }
        if (pays) payments.push(payment)
        else acknowledged[index] = (acknowledged[index] ?? 0) + 1
        if (!pays) expect(reply).toEqual({ is: 'done', balance: acknowledged[index] })
      }
    }
    const asking = Promise.all(acknowledged.map((_, index) => asker(index)))
    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.reduce((sum, count) => sum + count, 0)
      await until(
        'there was progress',
        () => acknowledged.reduce((sum, count) => sum + count, 0) > before + 40,
        20_000,
      )
      await host.kill()
      host = await startHost(folder)
    }
    end.abort()
    await asking

    for (const [index, count] of acknowledged.entries()) {
      expect(await host.ask(actorOf(index), { type: 'Read' }, `read-${index}`)).toEqual({
        is: 'done',
        balance: count,
      })
    }
    const paid = () => new Set(linesOf(join(folder, 'payments.txt')))
    await until('everything owed was done', () => payments.every((payment) => paid().has(payment)), 20_000)
    await host.kill()
  })
})

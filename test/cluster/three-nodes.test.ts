import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as requestOf } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFree, reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { existingLayout } from '../../tools/cluster/layout.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = join(temporaryFolder('vouchsafe-cluster'), 'cluster')
const START_LIMIT_MS = 600_000
const CALLERS = 4
const PAUSE_MS = 20
const CALL_LIMIT_MS = 60_000
const JSON_BODY = { 'Content-Type': 'application/json', 'Content-Length': '2' }

/** A machine that runs tests has stores slower than any cluster's; what is shown here is not how fast they are. */
const patience = [
  'VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS=60000',
  'VOUCHSAFE_VAULT_TIMEOUT_MS=60000',
  'VOUCHSAFE_PROBE_TIMEOUT_MS=60000',
  'VOUCHSAFE_DEAD_AFTER_MS=20000',
  'VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE=1000000',
].flatMap((setting) => ['--set', setting])

type Ended = { readonly stdout: string; readonly code: number }

/** As a person types it; `npm run cluster --` stands for what is before it. */
const cluster = async (...words: readonly string[]): Promise<Ended> => {
  const command = ['tools/cluster/main.ts', '--folder', folder, ...words]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command)
    return { stdout, code: 0 }
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout?: string; stderr?: string; code?: unknown }
    if (typeof code !== 'number') throw error
    return { stdout: `${stdout}${stderr}`, code }
  }
}

describe('three nodes of the service with their stores, started by one command', {
  timeout: START_LIMIT_MS,
}, () => {
  let port = 0
  let said = ''
  let agent: Agent
  const key = (): string => readFileSync(join(folder, 'secrets', 'api.key'), 'utf8').trim()

  const call = async (
    method: string,
    path: string,
  ): Promise<{ readonly status: number; readonly body: string }> => {
    const headers = { Authorization: `Bearer ${key()}`, ...(method === 'POST' && JSON_BODY) }
    const to = { host: 'localhost', port, path, agent }
    const outgoing = requestOf({ ...to, method, headers, timeout: CALL_LIMIT_MS })
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')))
    return new Promise((resolve, reject) => {
      outgoing.once('error', reject)
      outgoing.once('response', (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
      })
      outgoing.end(method === 'POST' ? '{}' : undefined)
    })
  }
  const get = (path: string) => call('GET', path)

  /** What is wrong with an answer that every node can give, whichever node has what it is about. */
  const wrong = async (path: string, method = 'GET'): Promise<string | null> => {
    try {
      const { status, body } = await call(method, path)
      return status === (method === 'POST' ? 201 : 200) ? null : `${method} ${path}: ${status} ${body}`
    } catch (error) {
      return `${method} ${path}: ${String(error)}`
    }
  }
  const HEALTH = '/v1/health'
  const WITH_KEY = '/v1/connections'
  const WRITES = '/v1/connections/invitations'

  /** Calls without a break while something is done to the cluster. */
  const calledMeanwhile = async (work: () => Promise<unknown>) => {
    const [failures, over] = [[] as string[], new AbortController()]
    let calls = 0
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) {
        for (const asked of [() => wrong(HEALTH), () => wrong(WITH_KEY), () => wrong(WRITES, 'POST')]) {
          const failure = await asked()
          calls += 1
          if (failure !== null) failures.push(failure)
        }
        await pause(PAUSE_MS)
      }
    })
    try {
      await work()
    } finally {
      over.abort()
      await Promise.all(callers)
    }
    return { calls, failures }
  }

  beforeAll(async () => {
    port = await reservePorts(1)
    const up = await cluster('up', '--port', String(port), ...patience)
    said = up.stdout
    expect(up.code, said).toBe(0)
    agent = new Agent({ ca: readFileSync(join(folder, 'ca.crt')), keepAlive: true })
  }, START_LIMIT_MS)
  afterAll(async () => {
    agent?.destroy()
    await cluster('down', '--wipe')
  }, START_LIMIT_MS)

  it('says what was made, and one call that works as it stands there', async () => {
    expect(said).toMatch(/^Keyspaces vouchsafe and vouchsafe_keys are of version \d+ now \(before: 0\)\.$/m)
    expect(said).toContain('Topic vouchsafe.events is made: partitions 32, copies 1, kept for 168 hours.')
    expect(said).toContain(`https://localhost:${port}`)
    expect(key()).toMatch(/^svc_sk_/)
    const curl = /^ +(curl .*)$/m.exec(said)?.[1] ?? ''
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${curl} --silent`])
    expect(JSON.parse(stdout)).toBeTypeOf('object')
  })

  it('answers through the proxy, from every node', async () => {
    for (let round = 0; round < 6; round++) expect(await get(HEALTH)).toMatchObject({ status: 200 })
    for (let round = 0; round < 6; round++) expect(await wrong(WITH_KEY)).toBeNull()
    const { stdout, code } = await cluster('status')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^cassandra +\S+ +healthy$/m)
    for (const name of ['node-1', 'node-2', 'node-3'])
      expect(stdout).toMatch(
        new RegExp(`^${name} +process \\d+  ready, \\d+ open, [1-9]\\d* taken, 0 lost$`, 'm'),
      )
  })

  it('issues a credential to a wallet and verifies it, wherever their records are', async () => {
    const demo = ['tools/demo/main.ts', '--cluster', folder]
    const { stdout } = await promisify(execFile)(process.execPath, demo)
    expect(stdout).toMatch(/1 credential\(s\) issued to real Credo wallets behind the mediator and verified/)
  })

  it('loses no request while its nodes restart, one after the other', async () => {
    const { calls, failures } = await calledMeanwhile(async () => {
      expect(await cluster('restart')).toMatchObject({ code: 0 })
    })
    expect(failures).toEqual([])
    expect(calls).toBeGreaterThan(100)
  })

  it('goes on when a node is killed, and takes it back', async () => {
    expect(await cluster('kill', '2')).toMatchObject({ code: 0 })
    // What was on its way to the node is the caller's to repeat; the proxy notices at once.
    await eventually(async () =>
      expect((await cluster('status')).stdout).toMatch(/^node-2 +does not run {2}gets no/m),
    )
    for (let round = 0; round < 20; round++) expect(await wrong(HEALTH)).toBeNull()
    // The other two share out what it had, and answer for all of it.
    await eventually(async () => {
      for (let round = 0; round < 6; round++) expect(await wrong(WITH_KEY)).toBeNull()
    })
    expect((await cluster('status')).code).toBe(1)
    expect(await cluster('start', '2')).toMatchObject({ code: 0 })
    expect((await cluster('status')).code).toBe(0)
  })

  it('is brought up once more without anything that is started twice', async () => {
    const before = (await cluster('status')).stdout.match(/process \d+/g)
    const again = await cluster('up', '--port', String(port), ...patience)
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('Topic vouchsafe.events is there')
    expect((await cluster('status')).stdout.match(/process \d+/g)).toEqual(before)
    expect(await cluster('up', '--port', String(port), '--name', 'other')).toMatchObject({ code: 1 })
  })

  it('leaves no process and no port behind when it is taken down', async () => {
    const { nodes, proxyPort, statusPort, ledgerPort, engines } = existingLayout(folder)
    if (engines.are !== 'own') throw new Error('the cluster has no stores of its own')
    const ports = [
      ...nodes.flatMap((node) => [node.port, node.privatePort, node.linkPort]),
      proxyPort,
      statusPort,
      ledgerPort,
      engines.cqlPort,
      engines.kafkaPort,
    ]
    expect(processesOf(folder)).not.toEqual([])
    expect(await cluster('down')).toMatchObject({ code: 0 })
    expect(processesOf(folder)).toEqual([])
    expect(await Promise.all(ports.map((each) => isFree('127.0.0.1', each)))).not.toContain(false)
    expect(readdirSync(folder)).toContain('cluster.json')
    expect(await cluster('down', '--wipe')).toMatchObject({ code: 0 })
    expect(() => readdirSync(folder)).toThrow(/ENOENT/)
  })
})

/** The command lines of what runs in a folder; where there is no /proc, none are found. */
const processesOf = (home: string): readonly string[] =>
  readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8')
      return command.includes(home) ? [command.replaceAll('\0', ' ').slice(0, 200)] : []
    } catch {
      return []
    }
  })

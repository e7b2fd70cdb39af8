import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { settingsOf } from '../contract/journal/parts/cassandra-keyspace.ts'
import { cassandra, kafka } from '../engines/engines.ts'
import { ServiceProcess } from '../service-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'

type Service = {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly healthcheck?: { readonly test?: readonly string[] }
}

const file = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url))
const { services } = parse(readFileSync(file, 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), {
  merge: true,
}) as { services: Readonly<Record<string, Service>> }

const folder = temporaryFolder('vouchsafe-cluster-start')
const started: ServiceProcess[] = []
// They are shared by all suites, and only the first one to ask waits for them.
beforeAll(() => Promise.all([cassandra(), kafka()]))
afterEach(async () => {
  // The ledger was there first and goes last.
  for (const one of started.splice(0).toReversed()) await one.stop()
})

const LEDGER = ['10.83.7.200', '9701'] as const

/** The services of the compose file as plain processes: its names become loopback, its volumes folders of one machine. */
const onThisMachine = async () => {
  const [address, { brokers }, ledgerPort] = await Promise.all([cassandra(), kafka(), reservePorts(4)])
  const { keyspace } = settingsOf(address)
  const words: readonly (readonly [string, string])[] = [
    ['cassandra:9042', address.contactPoints.join(',')],
    ['kafka:9092', brokers.join(',')],
    [LEDGER[0], '127.0.0.1'],
    [LEDGER[1], String(ledgerPort)],
  ]
  const own = {
    PORT: '0',
    VOUCHSAFE_PRIVATE_PORT: '0',
    VOUCHSAFE_LINK_PORT: '0',
    VOUCHSAFE_SHUTDOWN_DELAY_MS: '0',
    // A machine that runs tests has stores slower than any cluster's.
    VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '60000',
    VOUCHSAFE_VAULT_TIMEOUT_MS: '60000',
  }
  const shared = { VOUCHSAFE_CASSANDRA_KEYSPACE: keyspace, VOUCHSAFE_KAFKA_TOPIC_PREFIX: keyspace }
  const serviceOf = (name: string): Service => {
    const service = services[name]
    if (service === undefined) throw new Error(`the compose file has no ${name}`)
    return service
  }
  const translated = (name: string, text: string): string => {
    const mounts = serviceOf(name).volumes.map((volume) => volume.split(':'))
    for (const [volume = ''] of mounts) mkdirSync(join(folder, volume), { recursive: true })
    const placed = mounts.reduce(
      (result, [volume = '', target = '']) =>
        result.replaceAll(new RegExp(`(?<=^|')${target}(?=/|$)`, 'g'), join(folder, volume)),
      text,
    )
    if (placed === '0.0.0.0') return '127.0.0.1'
    return words.reduce((result, [from, to]) => result.replaceAll(from, to), placed)
  }
  const start = (name: string): ServiceProcess => {
    const { command = ['src/main.ts'], environment } = serviceOf(name)
    const [script = '', ...args] = command.map((word) => translated(name, word))
    const settings = Object.fromEntries(
      Object.entries(environment ?? {})
        // No proxy stands before them here.
        .filter(([key]) => key !== 'VOUCHSAFE_PUBLIC_URL')
        .map(([key, value]) => [key, translated(name, value)] as const),
    )
    const one = new ServiceProcess(
      environment && { ...settings, ...own, ...shared, VOUCHSAFE_NODE_NAME: name },
      script,
      args,
    )
    started.push(one)
    return one
  }
  const check = async (name: string): Promise<void> => {
    const [, , ...args] = (serviceOf(name).healthcheck?.test ?? []).map((word) => translated(name, word))
    await promisify(execFile)(process.execPath, args)
  }
  return { start, check }
}

it('the services of the compose file, started in its order, become a cluster whose nodes are ready', async () => {
  const { start, check } = await onThisMachine()
  expect(await start('secrets').finished).toMatchObject({ code: 0, stderr: '' })
  const ledger = start('ledger')
  await vi.waitFor(() => check('ledger'), { timeout: 60_000, interval: 200 })

  // What the nodes wait for: without its tables none of them starts.
  expect(await start('node1').finished).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('vouchsafe migrate') as string,
  })
  const migrated = await start('migrate').finished
  expect(migrated).toMatchObject({ code: 0, stderr: '' })
  expect(await start('migrate').finished).toMatchObject({ code: 0 })

  const nodes = [start('node1'), start('node2')]
  const places = await Promise.all(nodes.map((node) => node.untilListening(120_000)))
  for (const { privateUrl } of places) {
    await vi.waitFor(
      async () => {
        const [live, ready] = await Promise.all([fetch(`${privateUrl}/live`), fetch(`${privateUrl}/ready`)])
        expect([live.status, ready.status]).toEqual([200, 200])
      },
      { timeout: 60_000, interval: 200 },
    )
  }
  const health = await Promise.all(places.map(async ({ url }) => (await fetch(`${url}/v1/health`)).json()))
  for (const answer of health) expect(answer).toMatchObject({ status: 'ok' })
  expect(nodes.map(({ shown }) => shown.includes('VOUCHSAFE_LEDGER=sandbox'))).toEqual([false, false])
  expect(ledger.shown).toBe('')
}, 240_000)

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { warnings } from '../../src/config/contradictions.ts'
import { temporaryFolder } from '../temporary-folder.ts'

type Service = {
  environment?: Record<string, string>
  hostname?: string
  command?: string[]
  depends_on?: Record<string, { condition: string }> | string[]
  healthcheck?: { test?: string[]; disable?: boolean }
  ports?: string[]
  volumes?: string[]
  networks?: { default: { ipv4_address: string } }
}
type Compose = {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  networks: { default: { ipam: { config: { subnet: string; ip_range: string }[] } } }
}

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

/** As compose reads it when none of the variables is set. */
const withDefaults = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')

const compose = parse(withDefaults(read('docker-compose.yml')), { merge: true }) as Compose
const caddyfile = withDefaults(read('deploy/Caddyfile')).replaceAll(/\{\$\w+:([^}]*)\}/g, '$1')
const services = Object.entries(compose.services)
const nodes = services.filter(([name]) => /^node\d$/.test(name))
const environmentOf = (name: string): Record<string, string> => compose.services[name]?.environment ?? {}

/** The configuration of a node, with the files of its volumes standing somewhere on this machine. */
const configOf = (environment: Record<string, string>) => {
  const present = join(temporaryFolder('vouchsafe-compose'), 'present')
  writeFileSync(present, '')
  const files = ['VAULT_KEY_FILE', 'CLUSTER_SECRET_FILE', 'LEDGER_GENESIS_FILE', 'LEDGER_ENDORSER_SEED_FILE']
  return loadConfig({
    ...environment,
    ...Object.fromEntries(files.map((name) => [`VOUCHSAFE_${name}`, present])),
  })
}

describe('docker-compose.yml', () => {
  it('is what the compose specification allows', () => {
    // It names its parts by `id`, which only old drafts knew; nothing refers to these names.
    const unnamed = (key: string, value: unknown) =>
      key === 'id' && typeof value === 'string' ? undefined : value
    const schema = JSON.parse(read('test/fixtures/compose-spec.schema.json'), unnamed) as { $schema?: string }
    delete schema.$schema
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    validate(compose)
    expect(validate.errors ?? []).toEqual([])
  })

  it('has three nodes, and the service accepts every setting of each', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2', 'node3'])
    for (const [, node] of nodes) expect(() => configOf(node.environment ?? {})).not.toThrow()
  })

  it('gives every node a name that stays when its container does not', () => {
    for (const [name, node] of nodes) expect(node.hostname).toBe(name)
  })

  it('gives a node nothing but settings of the service', () => {
    const names = Object.keys(environmentOf('node1'))
    expect(names.filter((name) => !name.startsWith('VOUCHSAFE_') && name !== 'PORT')).toEqual([])
  })

  it('points the nodes at services and ports that exist in it', () => {
    const { cassandra, stream } = configOf(environmentOf('node1'))
    expect(cassandra.contactPoints).toEqual(['cassandra:9042'])
    expect(compose.services['cassandra']?.ports).toEqual(['127.0.0.1:19042:9042'])
    expect(environmentOf('kafka')['KAFKA_ADVERTISED_LISTENERS']).toBe(
      `PLAINTEXT://${stream.kafkaBrokers[0]},HOST://127.0.0.1:19092`,
    )
    expect(compose.services['kafka']?.ports).toEqual(['127.0.0.1:19092:19092'])
  })

  it('lets every node wait until the tables are made, by the release and for the settings that need them', () => {
    for (const [name, { depends_on: others = {} }] of nodes) {
      expect(others, name).toMatchObject({ migrate: { condition: 'service_completed_successfully' } })
    }
    const migrate = compose.services['migrate']
    expect(migrate?.command).toEqual(['src/cli.ts', 'migrate'])
    expect(migrate?.environment).toEqual(environmentOf('node1'))
    const isHealthy = { condition: 'service_healthy' }
    expect(migrate?.depends_on).toMatchObject({ cassandra: isHealthy, kafka: isHealthy })
    expect(compose.services['node1']?.volumes).toEqual(
      expect.arrayContaining([...(migrate?.volumes ?? ['nothing'])]),
    )
  })

  it('has one ledger for all nodes, at an address that nobody else is given', () => {
    for (const [name, node] of nodes) {
      expect(configOf(node.environment ?? {}).ledger.engine, name).toBe('indy')
      expect(warnings(configOf(node.environment ?? {}))).toEqual([])
      expect(node.volumes, name).toContain('ledger:/ledger:ro')
      expect(node.depends_on, name).toMatchObject({ ledger: { condition: 'service_healthy' } })
      expect(node.environment).toMatchObject({
        VOUCHSAFE_LEDGER_GENESIS_FILE: '/ledger/genesis.txn',
        VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: '/ledger/endorser.seed',
      })
    }
    const ledger = compose.services['ledger']
    const [, folder, shared, address, port] = ledger?.command ?? []
    expect(ledger?.volumes).toEqual([`ledger-data:${folder}`, `ledger:${shared}`])
    expect(ledger?.networks?.default.ipv4_address).toBe(address)
    const [network] = compose.networks.default.ipam.config
    expect(network).toEqual({ subnet: '10.83.7.0/24', ip_range: '10.83.7.0/25' })
    expect(Number(/^10\.83\.7\.(\d+)$/.exec(address ?? '')?.[1])).toBeGreaterThan(127)
    expect(ledger?.healthcheck?.test?.join(' ')).toContain(`net.connect(${port}, '${address}'`)
  })

  it('publishes on the loopback address only, and of the service only the proxy', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))
    expect(published.filter(([, port]) => !port?.startsWith('127.0.0.1:'))).toEqual([])
    expect(published.map(([name]) => name)).toEqual(['proxy', 'cassandra', 'kafka'])
  })

  it('declares every volume it mounts', () => {
    const mounted = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    )
    const named = mounted.filter((source) => !source.startsWith('.'))
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort())
  })

  it('waits for services that can say when they are well', () => {
    const needs = services.flatMap(([, { depends_on: others = {} }]) =>
      Array.isArray(others)
        ? others.map((name) => ({ name, condition: 'service_started' }))
        : Object.entries(others).map(([name, { condition }]) => ({ name, condition })),
    )
    const unmet = needs.filter(({ name, condition }) => {
      const other = compose.services[name]
      return other === undefined || (condition === 'service_healthy' && other.healthcheck?.test === undefined)
    })
    expect(needs.length).toBeGreaterThan(0)
    expect(unmet).toEqual([])
  })
})

describe('the proxy', () => {
  const config = configOf(environmentOf('node1'))

  it('sends to every node on its public port and asks its readiness on the private one', () => {
    const [, upstreams = ''] = /reverse_proxy ([^{]*)\{/.exec(caddyfile) ?? []
    expect(upstreams.trim().split(' ')).toEqual(nodes.map(([name]) => `${name}:${config.http.port}`))
    expect(caddyfile).toContain(`health_port ${config.operations.privatePort}`)
    expect(config.operations.privateHost).toBe('0.0.0.0')
  })

  it('listens where the nodes say they are reached', () => {
    expect(caddyfile).toContain(`${config.http.publicUrl} {`)
    expect(compose.services['proxy']?.ports).toEqual([
      `127.0.0.1:${new URL(config.http.publicUrl).port}:8443`,
    ])
  })

  it('sends no request a second time that a node may have had', () => {
    expect(caddyfile).toMatch(/lb_retry_match \{\s+expression false\s+\}/)
    expect(caddyfile).toMatch(/transport http \{\s+keepalive off/)
  })

  it('stops sending before a node stops accepting', () => {
    const seconds = Number(/health_interval (\d+)s/.exec(caddyfile)?.[1])
    expect(config.operations.shutdownDelayMs).toBeGreaterThan(seconds * 2_000)
  })
})

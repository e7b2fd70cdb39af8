import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, loadConfig } from '../../src/config/config.ts'
import { allSettings } from '../../src/config/env.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const mistakesOf = (environment: Environment): readonly string[] => {
  try {
    loadConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

describe('the configuration', () => {
  it('needs nothing at all', () => {
    const config = loadConfig({})
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080, engine: 'uws' })
    expect(config.journal.engine).toBe('sqlite')
    expect(config.cluster).toMatchObject({ heartbeatIntervalMs: 2_000, deadAfterMs: 10_000 })
  })

  it('takes an empty value for none', () => {
    expect(loadConfig({ PORT: '', VOUCHSAFE_VAULT_KEY_FILE: '  ' }).http.port).toBe(8080)
  })

  it('is frozen all the way down', () => {
    const config = loadConfig({ VOUCHSAFE_STREAM: 'kafka', VOUCHSAFE_KAFKA_BROKERS: 'a:1, b:2' })
    expect(config.stream.kafkaBrokers).toEqual(['a:1', 'b:2'])
    expect([config, config.stream, config.stream.kafkaBrokers].every(Object.isFrozen)).toBe(true)
  })

  it('ignores variables of others', () => {
    expect(mistakesOf({ PATH: '/bin', HOST: 'machine', VOUCHSAFED: '1' })).toEqual([])
  })

  it('refuses a port that is no number in one line that names it', () => {
    expect(mistakesOf({ PORT: 'abc' })).toEqual(['PORT must be a whole number from 0 to 65535, not "abc"'])
  })

  it.each(['1.5', '1e3', '0x10', '-1', '65536', '٣'])('refuses the port %s', (port) => {
    expect(mistakesOf({ PORT: port })).toHaveLength(1)
  })

  it('suggests the nearest name for an unknown one', () => {
    expect(mistakesOf({ VOUCHSAFE_JURNAL: 'sqlite' })).toEqual([
      'VOUCHSAFE_JURNAL is not a known setting; did you mean VOUCHSAFE_JOURNAL?',
    ])
    expect(mistakesOf({ VOUCHSAFE_PORT: '1' })[0]).toContain('did you mean PORT?')
    expect(mistakesOf({ VOUCHSAFE_XYLOPHONE_COLOUR: '1' })).toEqual([
      'VOUCHSAFE_XYLOPHONE_COLOUR is not a known setting',
    ])
  })

  it('refuses a named file that is missing, or is a folder', () => {
    const folder = temporaryFolder('vouchsafe-config')
    expect(mistakesOf({ VOUCHSAFE_VAULT_KEY_FILE: join(folder, 'none') })[0]).toMatch(/does not exist$/)
    expect(mistakesOf({ VOUCHSAFE_VAULT_KEY_FILE: folder })[0]).toMatch(/is not a file$/)
    writeFileSync(join(folder, 'key'), 'k')
    expect(mistakesOf({ VOUCHSAFE_VAULT_KEY_FILE: join(folder, 'key') })).toEqual([])
  })

  it('reports every mistake at once, each on a line of its own', () => {
    const lines = mistakesOf({
      PORT: 'abc',
      VOUCHSAFE_LOG_LEVEL: 'loud',
      VOUCHSAFE_ACCESS_LOG: 'yes',
      VOUCHSAFE_NO: '1',
    })
    expect(lines).toHaveLength(4)
    expect(lines.every((line) => !line.includes('\n'))).toBe(true)
  })

  it('never shows a long value in full, which could be a secret in the wrong place', () => {
    const secret = 'svc_sk_0123456789abcdef0123456789abcdef'
    expect(mistakesOf({ VOUCHSAFE_LOG_LEVEL: secret })[0]).not.toContain(secret)
  })

  it('adds contradictions only to values that were understood', () => {
    expect(mistakesOf({ VOUCHSAFE_JOURNAL: 'cassandra', PORT: 'abc' })).toHaveLength(1)
    expect(mistakesOf({ VOUCHSAFE_JOURNAL: 'cassandra' })).toContain(
      'VOUCHSAFE_JOURNAL=cassandra needs VOUCHSAFE_CASSANDRA_CONTACT_POINTS',
    )
  })

  it('accepts the written form of every default', () => {
    const written = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
    const set = allSettings().filter(
      ({ setting }) => written(setting.default) !== '' && setting.kind !== 'file',
    )
    expect(set.map(({ setting }) => setting.parse(written(setting.default)))).toEqual(
      set.map(({ setting }) => setting.default),
    )
  })
})

import { spawnSync } from 'node:child_process'
import { Failure } from '../../bootstrap/failure.mjs'
import type { Infrastructure } from './infrastructure.ts'

const PROBE_LIMIT_MS = 4_000

/** True where an engine answers and knows compose; a client without an engine is common and no use. */
export const dockerWorks = (docker = 'docker'): boolean =>
  [
    ['version', '--format', '{{.Server.Version}}'],
    ['compose', 'version'],
  ].every((probe) => spawnSync(docker, probe, { stdio: 'ignore', timeout: PROBE_LIMIT_MS }).status === 0)

/** The two servers out of docker-compose.yml, with their ports on the loopback address. */
export const dockerServers = (root: string, docker = 'docker'): Infrastructure => {
  const compose = (environment: Record<string, string>, ...composeArguments: string[]): void => {
    const options = { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit' } as const
    const { status } = spawnSync(docker, ['compose', ...composeArguments], options)
    if (status !== 0)
      throw new Failure(
        `docker compose ${composeArguments[0]} failed: mend what it says above, or use --no-docker.`,
      )
  }
  return {
    async up(kinds, { cqlPort, kafkaPort }) {
      const environment = { CQL_PORT: String(cqlPort), KAFKA_PORT: String(kafkaPort) }
      compose(environment, 'up', '--detach', '--wait', ...kinds)
      const ports = { cassandra: cqlPort, kafka: kafkaPort }
      return kinds.map((kind) => ({ kind, endpoint: `127.0.0.1:${ports[kind]}` }))
    },
    async down(kinds, wipe) {
      compose({}, 'rm', '--stop', '--force', ...(wipe ? ['--volumes'] : []), ...kinds)
    },
    async status(kinds) {
      const form = '{{.Service}} {{.Health}} {{.Ports}}'
      const options = { cwd: root, encoding: 'utf8' } as const
      const { stdout } = spawnSync(docker, ['compose', 'ps', '--format', form, ...kinds], options)
      const lines = stdout.split('\n').map((line) => line.split(' '))
      return kinds.flatMap((kind) => {
        const [, health, ...ports] = lines.find(([name]) => name === kind) ?? []
        if (health === undefined) return []
        const endpoint = /127\.0\.0\.1:\d+/.exec(ports.join(' '))?.[0] ?? 'no port'
        return [{ kind, endpoint, state: health || 'does not answer', detail: 'docker compose' }]
      })
    },
    logs(kinds, follow) {
      compose({}, 'logs', '--tail', '100', ...(follow ? ['--follow'] : []), ...kinds)
    },
  }
}

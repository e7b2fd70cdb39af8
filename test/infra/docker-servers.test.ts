import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dockerServers, dockerWorks } from '../../tools/infra/docker-servers.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-docker')

/** Stands for the docker command: notes what it was asked, and answers with what the test gave it. */
const command = (name: string, body: string): string => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho "$CQL_PORT $KAFKA_PORT $*" >> ${path}.calls\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}
const calls = (path: string): string[] => readFileSync(`${path}.calls`, 'utf8').trim().split('\n')

describe('the compose file', () => {
  it('is used only where an engine answers and knows compose', () => {
    expect(dockerWorks(command('all', 'exit 0'))).toBe(true)
    expect(dockerWorks(command('no-engine', 'exit 1'))).toBe(false)
    expect(dockerWorks(command('no-compose', '[ "$1" != compose ]'))).toBe(false)
    expect(dockerWorks(join(folder, 'none'))).toBe(false)
  })

  it('brings up the asked servers on the asked ports and waits for them', async () => {
    const docker = command('up', 'exit 0')
    const options = { nodes: 1, cqlPort: 1_111, kafkaPort: 2_222, commitLogSync: 'batch' } as const
    expect(await dockerServers(folder, docker).up(['kafka'], options)).toEqual([
      { kind: 'kafka', endpoint: '127.0.0.1:2222' },
    ])
    expect(calls(docker)).toEqual(['1111 2222 compose up --detach --wait kafka'])
  })

  it('says what to do when compose fails', async () => {
    const servers = dockerServers(folder, command('fails', 'exit 1'))
    await expect(servers.down(['cassandra'], false)).rejects.toThrow(
      'docker compose rm failed: mend what it says above, or use --no-docker.',
    )
  })

  it('reports what compose knows about health', async () => {
    const docker = command('status', 'echo "kafka healthy 9092/tcp, 127.0.0.1:19092->19092/tcp"')
    expect(await dockerServers(folder, docker).status(['cassandra', 'kafka'])).toEqual([
      { kind: 'kafka', endpoint: '127.0.0.1:19092', state: 'healthy', detail: 'docker compose' },
    ])
  })
})

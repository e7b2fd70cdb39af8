import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { type CassandraSettings, moduleFlags, prepareCassandra } from './cassandra-settings.ts'
import { Server } from './server-process.ts'
import { type ServerSecurity, tlsOptions } from './server-security.ts'

const START_LIMIT_MS = 240_000
const ANSWER_LIMIT_MS = 2_000
const CQL_OPTIONS = Buffer.from([0x04, 0, 0, 0, 0x05, 0, 0, 0, 0])
const CQL_SUPPORTED = 0x06
/** The tool runs for a second or two, in which no second compiler pays. */
const BRIEF_JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** True once the node itself speaks CQL there; an open port alone may be that of another program. */
export const answersCql = async (endpoint: string, security?: ServerSecurity): Promise<boolean> => {
  const [host = '', port] = endpoint.split(':')
  const place = { host, port: Number(port) }
  const socket = security === undefined ? connect(place) : connectTls({ ...place, ...tlsOptions(security) })
  socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy())
  socket.write(CQL_OPTIONS)
  try {
    for await (const bytes of socket) return (bytes as Buffer)[4] === CQL_SUPPORTED
  } catch {
    // Nothing listens there, or it does not answer in time.
  }
  return false
}

export class CassandraNode extends Server {
  readonly settings: CassandraSettings
  readonly #java: string

  constructor(java: string, settings: CassandraSettings) {
    const { address, cqlPort, folder, security } = settings
    const endpoint = `${address}:${cqlPort}`
    super({
      name: `Cassandra on ${address}`,
      endpoint,
      folder,
      logName: 'cassandra.log',
      limitMs: START_LIMIT_MS,
      launch: () => [java, ...prepareCassandra(settings)],
      answers: () => answersCql(endpoint, security),
    })
    this.#java = java
    this.settings = settings
  }

  /** Cassandra's own tool, for instance `nodetool('flush')` before its files are looked at. */
  async nodetool(...toolArguments: string[]): Promise<string> {
    const { folder, jmxPort, classPath } = this.settings
    const { stdout } = await promisify(execFile)(this.#java, [
      ...moduleFlags,
      ...BRIEF_JAVA,
      '-Xmx128m',
      `-Djava.io.tmpdir=${join(folder, 'tmp')}`,
      `-Dcassandra.storagedir=${folder}`,
      '-cp',
      [join(folder, 'conf'), ...classPath].join(':'),
      'org.apache.cassandra.tools.NodeTool',
      '-h',
      '127.0.0.1',
      '-p',
      String(jmxPort),
      ...toolArguments,
    ])
    return stdout
  }
}

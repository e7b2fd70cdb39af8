import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CassandraSettings, moduleFlags, prepareCassandra } from './cassandra-settings.ts'
import { Server } from './server-process.ts'

const START_LIMIT_MS = 240_000
const ANSWER_LIMIT_MS = 2_000
const CQL_OPTIONS = Buffer.from([0x04, 0, 0, 0, 0x05, 0, 0, 0, 0])
const CQL_SUPPORTED = 0x06

/** True once the node itself speaks CQL on that port; an open port alone may be that of another program. */
export const answersCql = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port })
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(ANSWER_LIMIT_MS, () => done(false))
    socket.once('connect', () => socket.write(CQL_OPTIONS))
    socket.once('data', (bytes) => done(bytes[4] === CQL_SUPPORTED))
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
  })

export class CassandraNode extends Server {
  readonly address: string
  readonly contactPoint: string
  readonly #java: string
  readonly settings: CassandraSettings

  constructor(java: string, settings: CassandraSettings) {
    const { address, cqlPort, folder } = settings
    super({
      name: `Cassandra on ${address}`,
      folder,
      logName: 'cassandra.log',
      limitMs: START_LIMIT_MS,
      launch: () => [java, ...prepareCassandra(settings)],
      answers: () => answersCql(address, cqlPort),
    })
    this.address = address
    this.contactPoint = `${address}:${cqlPort}`
    this.#java = java
    this.settings = settings
  }

  /** Cassandra's own tool, for instance `nodetool('flush')` before its files are looked at. */
  async nodetool(...toolArguments: string[]): Promise<string> {
    const { folder, jmxPort, classPath } = this.settings
    const flags = [
      ...moduleFlags,
      '-Xmx128m',
      `-Djava.io.tmpdir=${join(folder, 'tmp')}`,
      `-Dcassandra.storagedir=${folder}`,
    ]
    const target = ['-h', '127.0.0.1', '-p', String(jmxPort), ...toolArguments]
    const path = [
      '-cp',
      [join(folder, 'conf'), ...classPath].join(':'),
      'org.apache.cassandra.tools.NodeTool',
    ]
    const { stdout } = await promisify(execFile)(this.#java, [...flags, ...path, ...target])
    return stdout
  }
}

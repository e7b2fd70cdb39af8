import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CassandraSettings, moduleFlags, prepareCassandra } from './cassandra-settings.ts'
import {
  isRunning,
  killProcess,
  type ServerProcess,
  signalProcess,
  startProcess,
  stopProcess,
  untilAnswering,
} from './server-process.ts'

const START_LIMIT_MS = 240_000
const ANSWER_LIMIT_MS = 2_000
const CQL_OPTIONS = Buffer.from([0x04, 0, 0, 0, 0x05, 0, 0, 0, 0])
const CQL_SUPPORTED = 0x06

/** True once the node itself speaks CQL on that port; an open port alone may be somebody else's. */
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

export class CassandraNode {
  readonly settings: CassandraSettings
  readonly logFile: string
  readonly #java: string
  #process: ServerProcess | undefined

  constructor(java: string, settings: CassandraSettings) {
    this.#java = java
    this.settings = settings
    this.logFile = join(settings.folder, 'cassandra.log')
  }

  get address(): string {
    return this.settings.address
  }

  get contactPoint(): string {
    return `${this.settings.address}:${this.settings.cqlPort}`
  }

  get process(): ServerProcess {
    if (this.#process === undefined) throw new Error(`Cassandra on ${this.address} was not started`)
    return this.#process
  }

  isRunning(): boolean {
    return this.#process !== undefined && isRunning(this.#process)
  }

  /** Starts the node on the data it has and waits until it answers. */
  async start(): Promise<void> {
    mkdirSync(this.settings.folder, { recursive: true })
    const { folder, mark } = this.settings
    this.#process = startProcess(this.#java, prepareCassandra(this.settings), {
      folder,
      logFile: this.logFile,
      mark,
    })
    const what = { name: `Cassandra on ${this.address}`, logFile: this.logFile, limitMs: START_LIMIT_MS }
    await untilAnswering(this.process, what, () => answersCql(this.address, this.settings.cqlPort))
  }

  async stop(): Promise<void> {
    if (this.#process) await stopProcess(this.#process)
  }

  /** As a power cut: what was not synced to disk is lost. */
  async kill(): Promise<void> {
    if (this.#process) await killProcess(this.#process)
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** As a long pause: it answers nobody, and keeps its connections open. */
  freeze(): void {
    signalProcess(this.process, 'SIGSTOP')
  }

  resume(): void {
    signalProcess(this.process, 'SIGCONT')
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

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from '../tools/harness/program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The service as its operator runs it: a process of its own, on ports and a folder of its own. */
export class ServiceProcess extends Program {
  readonly folder: string

  constructor(
    environment: Readonly<Record<string, string>> = {},
    script = 'src/main.ts',
    args: readonly string[] = [],
  ) {
    const folder = temporaryFolder('vouchsafe-service')
    const env = {
      PATH: process.env.PATH,
      // Where the bootstrap put the native libraries.
      LIB_ANONCREDS_PATH: process.env.LIB_ANONCREDS_PATH,
      LIB_INDY_VDR_PATH: process.env.LIB_INDY_VDR_PATH,
      // Hundreds of modules are read and compiled by the first process of a run alone.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: join(folder, 'data'),
      ...environment,
    }
    super([join(root, script), ...args], { env, folder, keepsOutput: true })
    this.folder = folder
  }

  /** Of the development organisation, as the first start shows it; empty before that. */
  get apiKey(): string {
    return /svc_sk_[A-Za-z0-9_-]+/.exec(this.shown)?.[0] ?? ''
  }

  /** The events it has logged so far, or all of them once it has finished. */
  get events(): readonly string[] {
    const lines = this.output.trim().split('\n').filter(Boolean)
    return lines.map((line) => (JSON.parse(line) as { event: string }).event)
  }
}

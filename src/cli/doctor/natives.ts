import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Check, type Finding, always, broken, fine } from './check.ts'

type Native = { readonly name: string; readonly package: string; readonly version: string }

/** `version` is an expression over the loaded module, `it`; it must call into the library, to prove that it answers. */
const natives: readonly Native[] = [
  // The wrapper of this library answers with a bare pointer instead of the version.
  {
    name: 'anoncreds',
    package: '@hyperledger/anoncreds-nodejs',
    version: "(await import('koffi')).default.decode(it.anoncreds.version(), 'char', -1)",
  },
  { name: 'indy-vdr', package: '@hyperledger/indy-vdr-nodejs', version: 'it.indyVdr.version()' },
  {
    name: 'sqlite',
    package: 'better-sqlite3',
    version: "new it.default(':memory:').prepare('select sqlite_version()').pluck().get()",
  },
  {
    name: 'sodium',
    package: 'sodium-native',
    version: "it.default.crypto_generichash_BYTES === 32 ? 'answers' : 'is odd'",
  },
  { name: 'zeromq', package: 'zeromq', version: 'it.version' },
]

const LOAD_TIMEOUT_MS = 20_000

export const loadsNative = (native: Native): Check => ({
  name: native.name,
  applies: always,
  run: async () => (await load(native)).found,
})

const script = (native: Native): string => `
  try {
    const it = await import(${JSON.stringify(native.package)})
    console.log(${native.version})
  } catch (error) {
    console.log(error.code ?? error.message.split('\\n')[0])
    process.exit(1)
  }`

const MEND =
  'start through npm (npm run vouchsafe -- doctor), which fetches and checks the native libraries; if it stays, delete node_modules and start again'

/** The library is loaded in a process of its own, because one that does not fit the machine may crash. */
const load = (native: Native): Promise<{ readonly found: Finding; readonly hasCrashed: boolean }> =>
  new Promise((resolve) => {
    const cwd = fileURLToPath(new URL('../../..', import.meta.url))
    const options = { cwd, timeout: LOAD_TIMEOUT_MS, killSignal: 'SIGKILL' } as const
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', script(native)],
      options,
      (error, stdout) => {
        const output = stdout.trim().split('\n')[0] ?? ''
        if (error === null) return resolve({ found: fine(output), hasCrashed: false })
        const { code, signal } = error
        const hasCrashed = typeof signal === 'string'
        const how = hasCrashed
          ? `crashes while it loads (${signal})`
          : `does not load: ${output || `exit ${code}`}`
        resolve({ found: broken(how, MEND), hasCrashed })
      },
    )
  })

const ownEngine = {
  name: 'own engine',
  package: new URL('../../anoncreds/native-binary.ts', import.meta.url).href,
  version: "(({ version, arithmetic }) => version + ', ' + arithmetic)(it.loadNative().status())",
}

/** Where libanoncreds may sign instead, a missing engine is mentioned and is no failure. */
export const loadsEngine = (native: Native): Check => ({
  name: native.name,
  applies: ({ anoncreds }) => anoncreds.engine !== 'library',
  run: async ({ anoncreds }) => {
    const { found, hasCrashed } = await load(native)
    if (found.ok) return found
    return anoncreds.engine === 'auto' && !hasCrashed
      ? fine(`${found.detail}; libanoncreds signs in its place`)
      : broken(
          found.detail,
          'set VOUCHSAFE_ANONCREDS_ENGINE=library, or build the engine (npm run native:build)',
        )
  },
})

export const nativeChecks: readonly Check[] = [...natives.map(loadsNative), loadsEngine(ownEngine)]

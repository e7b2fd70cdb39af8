import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { startNodePool } from '../ledger/sandbox/node-pool.ts'
import { type SandboxOptions, type SandboxPool, startSandboxPool } from '../ledger/sandbox/pool.ts'
import { type Output, outputOf } from './output.ts'

const LAST_FIRST_PORT = 65_000

type Options = {
  readonly folder: string
  readonly host: string
  readonly port: number
  readonly nodes: '1' | '4'
}

/** The sandbox ledger apart from any service, so that several can stand on it and its nodes can die one by one. */
export const registerSandboxLedger = (program: Command): void => {
  program
    .command('sandbox-ledger')
    .description('run the sandbox ledger apart from the service, until a signal stops it')
    .option('--folder <folder>', 'where its transactions and keys are kept', '.data/separate-ledger')
    .option('--host <host>', 'where its nodes listen', '127.0.0.1')
    .option('--port <number>', 'first of four ports; they are part of its genesis file', port, 9_701)
    .addOption(
      new Option('--nodes <number>', 'processes for its four nodes: one for all, or one for each')
        .choices(['1', '4'])
        .default('1'),
    )
    .action(async (options: Options, command: Command) => {
      process.exit(await runSandboxLedger(options, outputOf(command)))
    })
}

/** Resolves with the exit code when a signal has stopped it. */
const runSandboxLedger = async (options: Options, output: Output): Promise<number> => {
  const folder = resolve(options.folder)
  const settings: SandboxOptions = {
    folder,
    host: options.host,
    firstPort: options.port,
    onBug: (error) => output.note(`A request met a bug of the sandbox: ${String(error)}`),
  }
  try {
    if (options.nodes === '4') return await runNodes(settings, output)
    return await runOne(settings, output)
  } catch (error) {
    output.failure([
      `The sandbox ledger could not start: ${error instanceof Error ? error.message : String(error)}`,
    ])
    return 1
  }
}

const runOne = async (settings: SandboxOptions, output: Output): Promise<number> => {
  const pool = await startSandboxPool(settings)
  output.result(filesOf(settings.folder, pool), textOf(settings.folder))
  await stopped()
  await pool[Symbol.asyncDispose]()
  return 0
}

const runNodes = async (settings: SandboxOptions, output: Output): Promise<number> => {
  const died = (alias: string): void =>
    output.note(`${alias} is dead; SIGHUP to ${process.pid} starts it again.`)
  const pool = await startNodePool({ ...settings, died })
  const lines = () => pool.nodes().map(({ alias, pid }) => `${alias}  ${pid ?? 'dead'}`)
  const shown = { ...filesOf(settings.folder, pool), pid: process.pid, nodes: pool.nodes() }
  output.result(shown, [textOf(settings.folder), ...lines()].join('\n'))
  process.on('SIGHUP', () => {
    pool.revive().then(
      () => output.note(lines().join('\n')),
      (error: unknown) => output.note(String(error)),
    )
  })
  await stopped()
  await pool[Symbol.asyncDispose]()
  return 0
}

/** What a service needs that stands on it (`VOUCHSAFE_LEDGER=indy`), and who may set an agreement. */
const filesOf = (folder: string, { genesis, endorser, trustee }: SandboxPool) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const written = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  return {
    genesisFile: written('genesis.txn', genesis),
    endorserSeedFile: written('endorser-seed', `${endorser.seed.toString('hex')}\n`),
    trusteeSeedFile: written('trustee-seed', `${trustee.seed.toString('hex')}\n`),
  }
}

const textOf = (folder: string): string =>
  [
    `VOUCHSAFE_LEDGER=indy`,
    `VOUCHSAFE_LEDGER_GENESIS_FILE=${join(folder, 'genesis.txn')}`,
    `VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE=${join(folder, 'endorser-seed')}`,
    'For trials: its nodes share one ledger and give no state proofs, so what needs those (the multi-ledger mode of ACA-Py) cannot read it.',
  ].join('\n')

const stopped = (): Promise<void> =>
  new Promise((end) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
  })

const port = (text: string): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > LAST_FIRST_PORT)
    throw new InvalidArgumentError(`That is no port from 1 to ${LAST_FIRST_PORT}.`)
  return number
}

#!/usr/bin/env node
// vouchsafe-wallet: the SDK in a terminal.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { InitializeOptions, Sdk } from '../core/public.ts'
import { backendOf, forgetInstallation, installationIn, Revoked } from './backend.ts'
import { linesFor } from './commands.ts'
import { inOneLine } from './shown.ts'
import { tellEvents } from './told.ts'

const USAGE = `vouchsafe-wallet [LINK]   a wallet in this terminal

  --url URL        of the platform (default http://127.0.0.1:8080, or BASE_URL)
  --key KEY        API key of a development organisation, whose backend this is too (or API_KEY)
  --token TOKEN    a wallet token instead, as an app gets it from its backend
  --folder FOLDER  where the wallet is kept (default ./vouchsafe-wallet)
  --label LABEL    what it calls itself (default Terminal)
`

const { values, positionals } = parseArgs({
  options: {
    url: { type: 'string', default: process.env['BASE_URL'] ?? 'http://127.0.0.1:8080' },
    key: { type: 'string', default: process.env['API_KEY'] ?? '' },
    token: { type: 'string', default: '' },
    folder: { type: 'string', default: './vouchsafe-wallet' },
    label: { type: 'string', default: 'Terminal' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const say = (line: string): void => void process.stdout.write(`${inOneLine(line)}\n`)

/** Plain http, as on one's own machine, is in the development entry alone. */
const entry = values.url.startsWith('http:')
  ? () => import('../node/development.ts')
  : () => import('../node/index.ts')

const explained = (error: unknown): readonly string[] => {
  const { kind, message, advice } = error as { kind?: string; message: string; advice?: string }
  return kind === undefined ? [message] : [`${kind}: ${message}`, advice ?? '']
}

const RESET = 'reset for good'

/** What another try does not mend. */
const isLost = (error: unknown): boolean => {
  const { kind, code, cause } = error as { kind?: string; code?: string; cause?: unknown }
  const isRejected = kind === 'WalletTokenRejected' || cause instanceof Revoked
  return isRejected || kind === 'WalletKeyLost' || code === 'storage_damaged'
}

/** A wallet that cannot be opened any more can still be reset. */
const opened = async (sdk: Sdk, options: InitializeOptions): Promise<boolean> => {
  try {
    await sdk.initialize(options)
    return true
  } catch (error) {
    if (!isLost(error)) throw error
    for (const line of explained(error)) say(line)
    return false
  }
}

const run = async (): Promise<void> => {
  const { createSdk, folderStorage } = await entry()
  const folder = resolve(values.folder)
  const token = async (): Promise<string> => values.token
  const sdk: Sdk = createSdk()
  tellEvents(sdk, say)
  const isOpen = await opened(sdk, {
    baseUrl: values.url,
    storage: folderStorage(folder),
    label: values.label,
    tokenProvider:
      values.token === '' ? backendOf(values.url, values.key, await installationIn(folder)) : token,
  })
  if (isOpen) say(`The wallet in ${folder} is open. Paste an invitation link, or say help.`)
  else say(`The wallet in ${folder} is not open. Say: ${RESET}, to begin anew, or quit.`)
  const runLine = linesFor(sdk)
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
  const take = async (line: string): Promise<boolean> => {
    try {
      for (const each of await runLine(line)) say(each)
      return true
    } catch (error) {
      for (const each of explained(error)) say(each)
      return false
    }
  }
  if (isOpen) for (const link of positionals) await take(link)
  lines.prompt()
  for await (const line of lines) {
    if (['quit', 'exit'].includes(line.trim())) break
    if ((await take(line)) && line.trim() === RESET) {
      await forgetInstallation(folder)
      break
    }
    lines.prompt()
  }
  lines.close()
  await sdk.close()
  if (!isOpen) process.exitCode = 1
}

if (values.help || (values.key === '' && values.token === '')) {
  process.stderr.write(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  try {
    await run()
  } catch (error) {
    process.stderr.write(`${explained(error).map(inOneLine).join('\n')}\n`)
    process.exitCode = 1
  }
}

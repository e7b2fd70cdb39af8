#!/usr/bin/env node
// @ts-check
// node bootstrap/fetch-natives.mjs FOLDER puts the verified native libraries into one folder, for an image that starts without the bootstrap.
import { cpSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { ensureNatives } from './natives.mjs'
import { supportedPlatform } from './platform.mjs'

const [folder] = process.argv.slice(2)
try {
  if (folder === undefined) throw new Failure('Usage: node bootstrap/fetch-natives.mjs FOLDER')
  const variables = await ensureNatives(supportedPlatform())
  for (const kept of Object.values(variables)) cpSync(kept, folder, { recursive: true })
} catch (error) {
  if (!(error instanceof Failure)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

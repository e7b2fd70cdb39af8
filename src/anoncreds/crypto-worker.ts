import { workerData } from 'node:worker_threads'
import type { CryptoAnswer, CryptoTask, CryptoWorkerStart, LoadFailure } from './crypto-task.ts'
import { type Engine, EngineFailure } from './engine.ts'
import { loadNative, type NativeAddon, NativeUnavailable } from './native-binary.ts'
import { NativeEngine } from './native-engine.ts'
import { Disagreement, EngineSelection } from './selection.ts'

/** A thread of the pool, and the only place that loads native engines. */

const start = workerData as CryptoWorkerStart

let loadFailure: LoadFailure | null = null
const addon = loadAddon()
const native = addon === null ? null : new NativeEngine(addon)
let selection: EngineSelection | null = null

function loadAddon(): NativeAddon | null {
  if (start.engine === 'library') return null
  try {
    const loaded = loadNative(start.binaries?.map((binary) => new URL(binary)))
    loaded.setCapacity(start.tableBytesMax)
    return loaded
  } catch (error) {
    if (!(error instanceof NativeUnavailable)) throw error
    loadFailure = { code: error.code, reason: error.message }
    return null
  }
}

/** libanoncreds takes 20 MB and some time to load, so it is loaded only when it is called. */
const lazyLibrary: Engine = {
  name: 'library',
  createCredential: (input) => library().createCredential(input),
  verifyPresentation: (input) => library().verifyPresentation(input),
}

const { LibraryEngine } =
  start.engine === 'native' ? { LibraryEngine: null } : await import('./library-engine.ts')
let loadedLibrary: Engine | null = null

function library(): Engine {
  if (LibraryEngine === null) throw new EngineFailure('fault', 'the library is not configured', 'library')
  loadedLibrary ??= new LibraryEngine()
  return loadedLibrary
}

export function run(task: CryptoTask): CryptoAnswer {
  if (task.kind === 'load') return { kind: 'loaded', failure: loadFailure }
  try {
    selection ??= new EngineSelection(start.engine, { native, library: lazyLibrary })
    if (task.kind === 'issue') return { kind: 'issued', outcome: selection.createCredential(task.input) }
    if (task.kind === 'verify') return { kind: 'verified', outcome: selection.verifyPresentation(task.input) }
    return {
      kind: 'filled',
      waiting: addon?.fillPrimePool(task.count) ?? 0,
      status: addon?.status() ?? null,
    }
  } catch (error) {
    if (error instanceof EngineFailure)
      return { kind: 'failed', failure: error.kind, reason: error.message, engine: error.engine }
    if (error instanceof Disagreement)
      return { kind: 'failed', failure: 'disagreement', reason: error.message, engine: 'both' }
    throw error
  }
}

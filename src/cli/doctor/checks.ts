import type { Check } from './check.ts'
import { httpEngine } from './http-engine.ts'
import { dataFolder, privatePort, publicPort } from './machine.ts'
import { nativeChecks } from './natives.ts'
import { clock, nodeVersion } from './runtime.ts'
import { cassandra, kafka } from './stores.ts'

/** Shown in this order: what the others depend on comes first. */
export const checks: readonly Check[] = [
  nodeVersion,
  ...nativeChecks,
  httpEngine,
  dataFolder,
  publicPort,
  privatePort,
  clock,
  cassandra,
  kafka,
]

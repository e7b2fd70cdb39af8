import { arch, cpus, platform, totalmem } from 'node:os'

export type Machine = {
  readonly cpu: string
  readonly cores: number
  readonly memory_gb: number
  readonly platform: string
  readonly node: string
}

export function describeMachine(): Machine {
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    node: process.versions.node,
  }
}

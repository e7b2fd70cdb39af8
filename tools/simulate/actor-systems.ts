import { createRequire } from 'node:module'

type SystemMap = {
  add: (system: { readonly name: string }) => void
  remove: (name: string) => void
}

/** Nact keeps every system that was not stopped, and a process that crashed stops nothing. */
const systems = createRequire(import.meta.url)('nact/lib/system-map.js') as SystemMap
const started: string[] = []
const add = systems.add
systems.add = (system) => {
  started.push(system.name)
  add(system)
}

export const forgetActorSystems = (): void => {
  for (const name of started.splice(0)) systems.remove(name)
}

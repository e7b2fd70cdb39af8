import { cellsIn } from '../../src/persistence/sqlite/body-file.ts'
import type { Place } from './places.ts'

/** Sealed bodies that stand in several cells of their file, put together again: only the first names the key. */
export const bodiesIn = (places: readonly Place[]): readonly Place[] =>
  places.flatMap((file) => {
    const bodies = new Map<string, Buffer[]>()
    for (const { name, part, content } of cellsIn(file.bytes)) {
      const parts = bodies.get(name) ?? []
      parts[part] = content
      bodies.set(name, parts)
    }
    return [...bodies].map(([name, parts]) => ({
      name: `${file.name}, body ${name}`,
      bytes: Buffer.concat(parts.filter((part) => part !== undefined)),
    }))
  })

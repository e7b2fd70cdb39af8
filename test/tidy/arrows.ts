import { posix } from 'node:path'
import { packageRooms, type Room, rooms, withoutNode, withoutPackages } from './rooms.ts'
import type { Import, Source } from './source.ts'

/** One sentence for each import that the table in `rooms.ts` does not allow. */
export function wrongImports(source: Source): string[] {
  const room = roomOf(source.path)
  return source.imports.flatMap((each) => {
    const objection = each.target.startsWith('.')
      ? wrongFile(source.path, room, each)
      : wrongPackage(source.path, each)
    return objection === null ? [] : [`${source.path}:${each.line} ${objection}`]
  })
}

/** A folder that the table does not know would have no rules. */
export function homeless({ path }: Source): string[] {
  if (!path.includes('/') || roomOf(path) !== null) return []
  return [`${path} is in no room: put it into one, or add its folder to test/tidy/rooms.ts.`]
}

export function roomOf(path: string): Room | null {
  return rooms
    .filter((room) => path.startsWith(room.folder))
    .reduce<Room | null>(
      (best, room) => (room.folder.length > (best?.folder.length ?? 0) ? room : best),
      null,
    )
}

function wrongFile(path: string, room: Room | null, { target, typeOnly }: Import): string | null {
  const file = posix.join(posix.dirname(path), target)
  const other = roomOf(file)
  if (room === null || other === null || other === room) return null
  const allowed = room.mayImport.map((entry) => entry.replace('types of ', ''))
  if (
    room.mayImport.some((entry) => fits(file, entry)) ||
    (typeOnly && allowed.some((entry) => fits(file, entry)))
  ) {
    return null
  }
  const what = `${name(room)} (${room.is}) imports ${file} from ${name(other)} (${other.is})`
  if (allowed.some((entry) => fits(file, entry))) {
    return `${what}, of which it may know only the types: write "import type", and let src/app.ts hand over the value.`
  }
  return `${what}, which it may not know. ${name(room)} may import ${list(room.mayImport)}. ${mend(room, other)}`
}

function mend(room: Room, other: Room): string {
  if (room.folder === 'src/domain/') return 'Let the value come in with the command.'
  if (!room.folder.startsWith('src/')) return 'Use the public interface, or move what both need.'
  if (!other.folder.startsWith('src/')) return 'What the product needs belongs into src/.'
  return 'Take it as an interface from src/ports/, and let src/app.ts inject it.'
}

function wrongPackage(path: string, { target }: Import): string | null {
  if (target.startsWith('node:')) {
    const room = withoutNode.find((folder) => path.startsWith(folder))
    return room
      ? `${room} may not use ${target}, nor anything else of Node: let the value come in with the command.`
      : null
  }
  const bare = withoutPackages.find((folder) => path.startsWith(folder))
  if (bare) return `${bare} may not use a package, and ${target} is one.`
  const owner = Object.entries(packageRooms).find(([known]) => isPackage(target, known))
  if (!owner || !/^(src|sdk|client|console)\//.test(path)) return null
  const [known, places] = owner
  if (places.some((place) => fits(path, place))) return null
  return `${known} is known in ${list(places)} alone: move this there, behind a port.`
}

function isPackage(target: string, known: string): boolean {
  return target === known || target.startsWith(known.endsWith('/') ? known : `${known}/`)
}

export function fits(file: string, entry: string): boolean {
  if (entry.startsWith('types of ')) return false
  if (entry.endsWith('/')) return file.startsWith(entry)
  const [before = '', after] = entry.split('*')
  if (after === undefined) return file === entry
  const middle = file.slice(before.length, file.length - after.length)
  return (
    file.length >= before.length + after.length &&
    file.startsWith(before) &&
    file.endsWith(after) &&
    !middle.includes('/')
  )
}

function name(room: Room): string {
  return room.folder
}

function list(entries: readonly string[]): string {
  return entries.length === 0 ? 'only itself' : entries.join(', ')
}

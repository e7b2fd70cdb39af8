const placesOfMachines = ['home', 'root', 'Users', 'Volumes', 'work', 'workspace', 'workspaces']
const absolutePath = new RegExp(`(?<![\\w.~:$})\\]*-])/(?:${placesOfMachines.join('|')})/[\\w.-]+`, 'g')
const windowsPath = /\b[A-Z]:\\+Users\\+\w+/g
/** The home of the user that Node's official images bring. */
const allowed = new Set(['/home/node'])

/** Paths that exist on one developer's machine only. */
export function machinePaths(path: string, text: string, root: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(absolutePath), ...line.matchAll(windowsPath)].map((match) => match[0])
    if (root.split('/').length > 2 && line.includes(root)) found.push(root)
    return found
      .filter((each) => !allowed.has(each))
      .map(
        (each) => `${path}:${index + 1} names ${each}, a path of one machine: make it relative or a setting.`,
      )
  })
}

/** The lock file must install from whatever registry the reader uses. */
export function registryHosts(path: string, text: string): string[] {
  if (!path.endsWith('package-lock.json') || !/"resolved": *"https?:/.test(text)) return []
  return [`${path} names a registry host: lock again with omit-lockfile-registry-resolved=true (see .npmrc).`]
}

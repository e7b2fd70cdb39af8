import type { Database } from 'better-sqlite3'

/** Brings a file to the newest version: migration n brings version n to n + 1, and none is edited once released. */
export const migrate = (database: Database, file: string, migrations: readonly string[]): void => {
  if (versionOf(database) === migrations.length) return
  const upgrade = database.transaction(() => {
    const version = versionOf(database)
    if (version > migrations.length) throw otherVersion(file, version, migrations.length)
    for (const statements of migrations.slice(version)) database.exec(statements)
    database.pragma(`user_version = ${migrations.length}`)
  })
  upgrade.immediate()
}

/** Readers cannot bring a file up to date, so they refuse any other version. */
export const requireNewest = (database: Database, file: string, migrations: readonly string[]): void => {
  const version = versionOf(database)
  if (version !== migrations.length) throw otherVersion(file, version, migrations.length)
}

const otherVersion = (file: string, version: number, newest: number): Error =>
  new Error(
    version > newest
      ? `${file} has schema version ${version}, this release knows up to ${newest}: start the release that wrote it`
      : `${file} has schema version ${version}, this release reads ${newest}: start the service on it once`,
  )

const versionOf = (database: Database): number => Number(database.pragma('user_version', { simple: true }))

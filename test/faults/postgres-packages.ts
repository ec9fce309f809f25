// PostgreSQL as Debian's packages bring it, and as whom it runs.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The folder of the newest that is installed; undefined: none is. */
export function postgresPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
}

const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses root. */
const DATABASE_USER = isRoot ? 'postgres' : userInfo().username

/** The command as that user. */
export function asDatabaseUser(command: readonly string[]): string[] {
  return isRoot
    ? ['setpriv', `--reuid=${DATABASE_USER}`, `--regid=${DATABASE_USER}`, '--clear-groups', '--', ...command]
    : [...command]
}

/** Whose folders are to be given to it; null: they are already. */
export function databaseUserIds(): { uid: number; gid: number } | null {
  const id = (flag: string) => Number(spawnSync('id', [flag, DATABASE_USER], { encoding: 'utf8' }).stdout)
  return isRoot ? { uid: id('-u'), gid: id('-g') } : null
}

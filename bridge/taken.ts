// Whether a printer has taken all that was sent to it: its side has acknowledged every byte, and that no more will come. A socket does
// not say so; the system's table of connections does.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'

type Ports = { local: number; remote: number }
type Table = { read: () => Promise<string>; named: (port: number) => string }

/** A part of a table that cannot be read says nothing. */
const nothing = () => ''

export const OF_LINUX: Table = {
  async read() {
    const parts = ['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'utf8').catch(nothing))
    return (await Promise.all(parts)).join('\n')
  },
  named: port => port.toString(16).toUpperCase().padStart(4, '0'),
}
/** Of macOS and Windows. */
export const OF_NETSTAT: Table = {
  read: () =>
    promisify(execFile)('netstat', ['-n', '-p', 'tcp'], { timeout: 2_000 }).then(
      ({ stdout }) => stdout,
      nothing,
    ),
  named: String,
}

/** States of our side once it has ended, of Linux and of netstat: whether all of it is acknowledged. */
const STATES: ReadonlyMap<string, boolean> = new Map([
  ['01', false],
  ['04', false],
  ['05', true],
  ['ESTABLISHED', false],
  ['FIN_WAIT_1', false],
  ['FIN_WAIT_2', true],
])

/** Null: the table does not say. Where two connections have the same ports, both must have been taken. */
export function takenIn(table: string, { named }: Table, { local, remote }: Ports): boolean | null {
  const line = new RegExp(`[.:]${named(local)}\\s+\\S+[.:]${named(remote)}\\s+(\\w+)`, 'g')
  const states = [...table.matchAll(line)].map(([, state = '']) => STATES.get(state) ?? null)
  if (states.length === 0 || states.includes(null)) return null
  return states.every(isTaken => isTaken)
}

export async function isTaken({ localPort: local, remotePort: remote }: Socket): Promise<boolean | null> {
  if (local === undefined || remote === undefined) return null
  const table = process.platform === 'linux' ? OF_LINUX : OF_NETSTAT
  return takenIn(await table.read(), table, { local, remote })
}

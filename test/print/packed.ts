// The print program as it is packed, but for the Node that is in the same file: what Node's single executable runs, run by Node.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { BRIDGE_PROGRAM } from '#kit/print/bridge/bridge.ts'
import { bundleFile } from '#scripts/bundle-file.ts'
import { ROOT } from '#scripts/checks.ts'

export type Packed = {
  /** The program's own file; others take its place. */
  file: string
  /** Resolves when it listens; `code` is how the process ended. */
  start(deskDir: string): Promise<{ pid: number; ended: Promise<number | null> }>
  /** All that run from this file. */
  pids(): number[]
  /** The program as another version of it. */
  as(version: string): string
  [Symbol.asyncDispose](): Promise<void>
}

/** `key`: the public half of the key that its updates are signed with. */
export async function packedProgram(key: string): Promise<Packed> {
  const dir = mkdtempSync(join(tmpdir(), 'partner-office-packed-'))
  const file = join(dir, 'partner-office-print')
  const ran = join(dir, 'pids')
  const target = relative(ROOT, `${file}.cjs`)
  await bundleFile(ROOT, 'bridge/main.ts', target, 'cjs', { PRINT_UPDATE_KEY: key })
  const bundled = readFileSync(`${file}.cjs`, 'utf8')
  rmSync(`${file}.cjs`)
  const tells = `{
    require(${JSON.stringify(join(ROOT, 'test/runner/day.ts'))})
    const tell = word => require('node:fs').appendFileSync(${JSON.stringify(ran)}, word + process.pid + '\\n')
    tell('+')
    process.on('exit', () => tell('-'))
  }\n`
  const version = /BRIDGE_PROGRAM\s*=\s*["'`][\d.]+["'`]/
  if (!version.test(bundled)) throw new Error('The program does not say its version as expected')
  const as = (other: string) => tells + bundled.replace(version, `BRIDGE_PROGRAM="${other}"`)
  writeFileSync(file, as(BRIDGE_PROGRAM), { mode: 0o755 })
  const pids = () => {
    const words = existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []
    const ended = new Set(words.filter(word => word.startsWith('-')).map(word => word.slice(1)))
    return words.filter(word => word.startsWith('+') && !ended.has(word.slice(1))).map(Number)
  }
  return {
    ...{ file, pids, as },
    async start(deskDir) {
      const stdio = ['ignore', 'pipe', 'inherit'] as const
      // Node looks at the end of a file's name where it is given modules to import first; the program takes its day itself.
      const env = { ...process.env, NODE_OPTIONS: '' }
      const child = spawn(process.execPath, [file, '--dir', deskDir], { stdio: [...stdio], env })
      const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
      await new Promise<void>((resolve, reject) => {
        void ended.then(code => reject(new Error(`did not start: ${code}`)))
        child.stdout?.on('data', part => /127\.0\.0\.1:\d+/.test(String(part)) && resolve())
      })
      return { pid: child.pid as number, ended }
    },
    async [Symbol.asyncDispose]() {
      for (const pid of pids())
        try {
          process.kill(pid, 'SIGKILL')
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** What the program's own page reads, with the key of its folder; null where nobody answers. */
export async function ownState(port: number, deskDir: string, deed?: object): Promise<OwnState | null> {
  const authorization = `Bearer ${readFileSync(join(deskDir, 'own-key'), 'utf8').trim()}`
  const asked = { method: deed ? 'POST' : 'GET', body: deed ? JSON.stringify(deed) : null }
  const answer = await fetch(`http://127.0.0.1:${port}/own`, { headers: { authorization }, ...asked }).catch(
    () => null,
  )
  return answer && ((await answer.json()) as OwnState)
}
export type OwnState = {
  program: string
  update: { said: string; busy: boolean; previous: string | null } | null
}

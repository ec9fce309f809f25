// Child processes of verify and test: run with the terminal's output kept, or passed on.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export type Outcome = { ok: boolean; seconds: number; output: string }

/** Runs a program in the project's folder, or in another, and keeps what it says. */
export function keepOutput(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd = ROOT,
): Promise<Outcome> {
  const startedAt = performance.now()
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  return new Promise(resolve => {
    const end = (ok: boolean, more = '') =>
      resolve({
        ok,
        seconds: (performance.now() - startedAt) / 1_000,
        output: `${Buffer.concat(said).toString('utf8')}${more}`.trim(),
      })
    child.once('error', error => end(false, error.message))
    child.once('close', status => end(status === 0))
  })
}

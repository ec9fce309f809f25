// Runs a program of this machine with bytes on its input: no shell, a time limit, an end to what it may say.
import { spawn } from 'node:child_process'

/** `outcome`: its exit code, or why it has none. */
export type Ran = { outcome: number | 'missing' | 'late' | 'talkative'; output: string }

const OUTPUT_MAX = 4 * 1024 * 1024

/** Never rejects. It sees nothing of our environment but where programs lie. */
export function runProgram(
  command: { program: string; parameters: readonly string[]; path: string | undefined },
  input: Buffer,
  timeoutMs: number,
): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(command.program, command.parameters, {
      env: { PATH: command.path ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const chunks: Buffer[] = []
    let size = 0
    const end = (outcome: Ran['outcome']) => {
      clearTimeout(limit)
      child.kill('SIGKILL')
      resolve({ outcome, output: Buffer.concat(chunks).toString() })
    }
    const limit = setTimeout(() => end('late'), timeoutMs)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > OUTPUT_MAX) end('talkative')
      else chunks.push(chunk)
    })
    child.on('error', () => end('missing'))
    child.on('close', code => end(code ?? 'late'))
    child.stdin.on('error', () => 'it may end before it has read all')
    child.stdin.end(input)
  })
}

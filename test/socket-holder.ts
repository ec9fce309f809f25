// A socket that is held as a service manager holds it: it listens whether a program takes its calls or not.
import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Starts the program on the socket for every line that it is told, once the one before has ended. */
const HOLDER = `
  while read -r _; do
    LISTEN_FDS=1 sh -c 'LISTEN_PID=$$ exec "$0" "$@"' "$@"
  done`

export type HeldSocket = {
  port: number
  /** As soon as the one before has ended. */
  start(): void
  /** Resolves when the last has ended. */
  end(): Promise<void>
}

/** `port` 0: a free one. `errors`: where what the program complains of goes. */
export async function holdSocket(
  port: number,
  command: readonly string[],
  { errors, ...more }: { errors: 'inherit' | 'ignore'; cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<HeldSocket> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: held } = server.address() as AddressInfo
  const stdio: StdioOptions = ['pipe', 'ignore', errors, descriptorOf(server)]
  const holder = spawn('sh', ['-c', HOLDER, 'sh', ...command], { ...more, stdio })
  // This process must take no calls itself.
  server.close()
  const { stdin } = holder
  if (!stdin) throw new Error('the holder cannot be told anything')
  return {
    port: held,
    start: () => void stdin.write('go\n'),
    async end() {
      stdin.end()
      if (holder.exitCode === null) await once(holder, 'exit')
    },
  }
}

/** Node gives it to none but its own children. */
const descriptorOf = (server: Server) => (server as unknown as { _handle: { fd: number } })._handle.fd

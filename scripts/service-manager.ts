// What systemd gives to and hears of a unit: a socket that it listened on already (operate/systemd/partner-office.socket), so that callers of a
// restart wait and are not refused; that the office is ready; and that it is alive, as often as the unit asks.
import { spawn } from 'node:child_process'

type Given = Readonly<Record<string, string | undefined>>

/** The first of those that a service manager passes on. */
const FIRST_FD = 3

/** The number of the socket to take over, where this very process was given one. */
export function givenSocket(env: Given = process.env, pid = process.pid): number | null {
  const isOurs = Number(env.LISTEN_PID) === pid && Number(env.LISTEN_FDS) >= 1
  return isOurs ? FIRST_FD : null
}

/** How often it must be said that the office is alive, twice within what the unit waits; null where nobody asks. */
export function aliveEveryMs(env: Given = process.env): number | null {
  const microseconds = Number(env.WATCHDOG_USEC)
  return env.NOTIFY_SOCKET && microseconds > 0 ? microseconds / 2_000 : null
}

/** Tells it that the office is ready, and from then on that it is alive: a loop that stands still says nothing. */
export function tellServiceManager(
  onProblem: (error: Error) => void,
  env: Given = process.env,
): { stop(): void } {
  if (!env.NOTIFY_SOCKET) return { stop: () => undefined }
  const tell = (state: string) => {
    // Node has no datagram sockets of files, which is how it hears.
    const said = spawn('systemd-notify', [state], { env, stdio: 'ignore' })
    said.once('error', onProblem)
    said.once('exit', status => {
      if (status !== 0) onProblem(new Error(`systemd-notify ${state} ended with ${status}`))
    })
  }
  tell('READY=1')
  const everyMs = aliveEveryMs(env)
  const beat = everyMs === null ? null : setInterval(() => tell('WATCHDOG=1'), everyMs).unref()
  return {
    stop() {
      if (beat) clearInterval(beat)
      tell('STOPPING=1')
    },
  }
}

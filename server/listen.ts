// A connection that listens for what the database notifies, in whichever instance it happened; it comes back when it is cut.
import pg from 'pg'

const LISTEN_WITHIN_MS = 5_000
const AGAIN_AFTER_MS = 1_000

export type Listener = { readonly isListening: boolean; close(): Promise<void> }

/** Connects before it answers. `onLost` is called whenever notifications may have been missed, also at the start. */
export async function listenTo(
  url: string,
  handlers: Readonly<Record<string, (payload: string) => void>>,
  { onLost, onProblem }: { onLost: () => void; onProblem: (error: unknown) => void },
): Promise<Listener> {
  let listening: pg.Client | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: LISTEN_WITHIN_MS,
      keepAlive: true,
    })
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      if (listening === client) listening = null
      onLost()
      if (!closed) retry = setTimeout(() => void listen().catch(onProblem), AGAIN_AFTER_MS).unref()
    }
    client.on('notification', ({ channel, payload = '' }) => handlers[channel]?.(payload))
    client.on('error', onProblem)
    client.on('end', lose)
    try {
      await client.connect()
      for (const channel of Object.keys(handlers))
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      lose()
      // Not waited for: a link that answers nothing would not end either.
      client.end().catch(onProblem)
      throw error
    }
    onLost()
    if (closed) await client.end()
    else listening = client
  }

  try {
    await listen()
  } catch (error) {
    closed = true
    clearTimeout(retry)
    throw error
  }
  return {
    get isListening() {
      return listening !== null
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await listening?.end()
    },
  }
}

// The database as socket.io's adapter needs it: one connection of its own to listen on, and the pool to say things with.
// The adapter expects a pool, but keeps what it takes, does not hear a connection's errors, and gives nothing back when it is cut.
import pg from 'pg'
import { type Database, SYSTEM } from '#server/db.ts'

export type AdapterLink = {
  connect(): Promise<pg.Client & { release(): void }>
  query: pg.Pool['query']
  close(): Promise<void>
}

export function adapterLink(
  url: string,
  database: Database,
  onProblem: (error: unknown) => void,
): AdapterLink {
  let listening: pg.Client | null = null
  let closed = false

  async function drop(): Promise<void> {
    const client = listening
    listening = null
    // Whoever is let go on purpose must not look lost.
    client?.removeAllListeners('end')
    await client?.end()
  }

  // Notifications are sent by a select; what is too long for one is kept in a table, and cleared there.
  const query = (text: string, values?: unknown[]) =>
    /^select/i.test(text)
      ? database.pool.query(text, values)
      : database.write(SYSTEM, ({ client }) => client.query(text, values))

  return {
    async connect() {
      await drop().catch(onProblem)
      // It would try again for ever.
      if (closed) return new Promise(() => undefined)
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5_000,
        query_timeout: 5_000,
        keepAlive: true,
        application_name: 'partner-office-realtime',
      })
      client.on('error', onProblem)
      await client.connect()
      if (closed) {
        await client.end()
        return new Promise(() => undefined)
      }
      listening = client
      return Object.assign(client, { release: () => void drop().catch(onProblem) })
    },
    query: query as pg.Pool['query'],
    async close() {
      closed = true
      await drop()
    },
  }
}

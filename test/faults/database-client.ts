import pg from 'pg'

/** A connection that sees the rows of all agents; the caller's to end. Its server may be destroyed meanwhile. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c app.scope=all' })
  // Its next statement tells.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Work on such a connection. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

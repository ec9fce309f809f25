// The clock of a test: what is announced for an item of a price book begins.
type Office = { sql(text: string, values?: unknown[]): Promise<unknown> }

export async function comeTrue({ sql }: Office, book: string, item: number): Promise<void> {
  await sql('alter table prices disable trigger user')
  await sql(
    `update prices set starts_at = date_trunc('milliseconds', clock_timestamp())
     where book = $1 and item = $2 and starts_at > now() and withdrawn_at is null`,
    [book, item],
  )
  await sql('alter table prices enable trigger user')
}

// What the database holds, table by table, to show that a refusal writes nothing.
import pg from 'pg'
import type { Office } from './app.ts'

/** Number and digest of the rows of every table. Two answers are equal when nothing was written between them. */
export async function rowsOfAllTables(office: Office): Promise<Record<string, string>> {
  const { rows: tables } = await office.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await office.owner.query<{ rows: string; digest: string | null }>(
      `select count(*) as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from ${pg.escapeIdentifier(name)} t`,
    )
    found[name] = `${rows[0]?.rows} ${rows[0]?.digest}`
  }
  return found
}

const NOTE_WRITES = `
  create schema noted;
  create unlogged table noted.writes (transaction xid8 not null default pg_current_xact_id(), name text not null);
  create index on noted.writes (transaction);
  create function noted.note() returns trigger language plpgsql security definer as $$
  begin
    insert into noted.writes (name) values (tg_table_name);
    return null;
  end $$;
  do $$
  declare one regclass;
  begin
    for one in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    loop
      execute format('create trigger noted after insert or update or delete on %s for each row execute function noted.note()', one);
      execute format('create trigger noted_whole after truncate on %s execute function noted.note()', one);
    end loop;
  end $$`

const noting = new WeakMap<pg.Pool, Promise<unknown>>()

/** A moment of the database, for `writtenSince`. From the first one on every row that is written is noted with its transaction. */
export async function momentOf({ owner }: Office): Promise<string> {
  const noted = noting.get(owner) ?? owner.query(NOTE_WRITES)
  noting.set(owner, noted)
  await noted
  const { rows } = await owner.query<{ moment: string }>('select pg_current_snapshot()::text as moment')
  return rows[0]?.moment as string
}

/** Tables of which a row was written, be it to what it was, came or went, by a transaction that was not over at that moment and is now. */
export async function writtenSince({ owner }: Office, moment: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct name from noted.writes
     where transaction >= pg_snapshot_xmin($1) and not pg_visible_in_snapshot(transaction, $1) order by 1`,
    [moment],
  )
  return rows.map(({ name }) => name)
}

// The migrations of a release that may come next, one of each way in which docs/CHANGING.md has them written.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inWords, judgeMigrations } from '#scripts/migration-rules.ts'

const OUTSIDE = '-- outside of a transaction'

const ADDED: Readonly<Record<string, string>> = {
  '0901_expand': `alter table merchants add column brief_name text;
--> statement-breakpoint
create function keep_brief_name() returns trigger language plpgsql as $$
begin
  new.brief_name := left(new.short_name, 10);
  return new;
end $$;
--> statement-breakpoint
create trigger keep_brief_name before insert or update of short_name on merchants for each row execute function keep_brief_name();
--> statement-breakpoint
alter table version_orders add column remarked text not null default '';`,
  '0902_fill': `${OUTSIDE}
-- in steps: merchants.id 2000
update merchants set brief_name = left(short_name, 10) where id > $1 and id <= $2 and brief_name is null;
--> statement-breakpoint
create index concurrently merchants_brief_name on merchants (agent_id, brief_name);
--> statement-breakpoint
alter table merchants add constraint brief_named check (brief_name is not null) not valid;
--> statement-breakpoint
alter table merchants validate constraint brief_named;`,
  '0903_believe': 'alter table merchants alter column brief_name set not null;',
}

/** The built program of `root` in a folder of its own, with those migrations behind its own. */
export function makeNextRelease(root: string, folder: string): void {
  const files = Object.entries(ADDED).map(([tag, sql]) => ({ file: `${tag}.sql`, sql }))
  const forbidden = judgeMigrations(files).map(inWords)
  if (forbidden.length > 0) throw new Error(forbidden.join('\n'))
  mkdirSync(folder)
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const journalFile = join(folder, 'dist/migrations/meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as {
    entries: { idx: number; when: number }[]
  }
  const last = journal.entries.at(-1)?.when ?? 0
  const entries = files.map(({ file, sql }, n) => {
    writeFileSync(join(folder, 'dist/migrations', file), sql)
    return { idx: 901 + n, version: '7', when: last + 1 + n, tag: file.slice(0, -4), breakpoints: true }
  })
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, ...entries] }))
}

// When the office was last backed up, and when somebody last restored a backup: told by the commands that do it, read by the operator's list, by
// /metrics and by the doctor.
import type pg from 'pg'
import type { SetupStep } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import type { ReadFigure } from '#server/metrics.ts'
import { BACKUP_DEEDS, type BackupAges, type BackupDeed, backupReading } from './rules.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** On the owner's connection; an earlier moment than is known changes nothing. */
export async function noteBackup(owner: Client, deed: BackupDeed, at: string): Promise<void> {
  await owner.query(
    `insert into service_checks (service, problem, checked_at) values ($1, '', $2)
     on conflict (service) do update set checked_at = greatest(service_checks.checked_at, excluded.checked_at)`,
    [deed, at],
  )
}

/** A database of its own keeps its changes by itself, and knows when it last did. */
const AGES = `
  select service as deed, extract(epoch from now() - max(at))::float8 as seconds from (
    select service, checked_at as at from service_checks where service = any ($1)
    union all
    select 'changes', last_archived_time from pg_stat_archiver where current_setting('archive_mode') <> 'off') known
  where at is not null group by service`

export async function readBackupAges(client: Client): Promise<BackupAges> {
  const { rows } = await client.query<{ deed: BackupDeed; seconds: number }>(AGES, [BACKUP_DEEDS])
  const known = new Map(rows.map(({ deed, seconds }) => [deed, Math.max(0, seconds)]))
  const age = (deed: BackupDeed) => known.get(deed) ?? Number.POSITIVE_INFINITY
  // One without the other is half an office.
  return { backup: Math.max(age('files'), age('database')), changes: age('changes'), restore: age('restore') }
}

export const BACKUP_AGE: ReadFigure = {
  name: 'backup_age_seconds',
  help: 'Since the last whole backup, since changes were last kept, since a backup was last restored; +Inf where never',
  label: 'what',
  read: database => database.read(SYSTEM, async ({ client }) => ({ ...(await readBackupAges(client)) })),
}

export const backupStep: SetupStep = {
  key: 'setup.backup',
  label: '备份',
  for: 'operator',
  permission: 'partners.manage',
  order: 75,
  path: null,
  read: async ctx => backupReading(await readBackupAges(ctx.client)),
}

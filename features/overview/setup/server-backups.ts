// When the office was last backed up and when somebody last restored a backup: told by the commands that do it.
import type pg from 'pg'

/** `backup`: all of it; `changes`: what was added since, up to this moment; `restore`: one was brought back and found sound. */
export type BackupDeed = 'backup' | 'changes' | 'restore'

/** On the owner's connection; an earlier moment than is known changes nothing. */
export async function noteBackup(
  owner: Pick<pg.Client, 'query'>,
  deed: BackupDeed,
  at: string,
): Promise<void> {
  await owner.query(
    `insert into service_checks (service, problem, checked_at) values ($1, '', $2)
     on conflict (service) do update set checked_at = greatest(service_checks.checked_at, excluded.checked_at)`,
    [deed, at],
  )
}

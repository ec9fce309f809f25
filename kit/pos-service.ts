// What the office asks of the service that keeps shops' own data at the point of sale: the protocol stands in docs/POS.md.

/** One table of a shop that can be emptied, and how many rows it has now. */
export type PosTable = { key: string; name: string; rows: number }

/** running: it goes on there by itself. failed: nothing was done. */
export type PosTaskState = 'running' | 'done' | 'failed'

/** Work that the service was given under an id of ours (`act`); asked for again it answers where that stands. */
export type PosTask = {
  act: string
  kind: 'backup' | 'empty' | 'restore'
  state: PosTaskState
  /** 0 to 100. */
  percent: number
  /** Rows that the backup holds, that were removed, or that were brought back. */
  rows: number
  /** Of a backup that is complete. */
  backup: PosBackup | null
  /** Rows that came after the table was emptied and stand beside those that were brought back. */
  beside: number
  /** Why it failed, in words. */
  reason: string
}

export type PosBackup = {
  id: string
  rows: number
  /** SHA-256 of what it holds, 64 hexadecimal digits. */
  checksum: string
  /** Until when it can be brought back. */
  keptUntil: string
}

/**
 * Each call rejects with ProviderRefused (it said no, and did nothing), ProviderBusy, or ProviderUnknown. After the last `task` is asked
 * before anything is sent again; the same `act` is never done twice there.
 */
export type PosService = {
  tables(shopId: number): Promise<PosTable[]>
  /** Null: it has never heard of this act. */
  task(shopId: number, act: string): Promise<PosTask | null>
  backUp(shopId: number, table: string, act: string): Promise<PosTask>
  /** Refused with TABLE_CHANGED where the table is no longer as the backup has it, with BACKUP_GONE where there is none. */
  empty(shopId: number, table: string, backup: Omit<PosBackup, 'keptUntil'>, act: string): Promise<PosTask>
  /** Refused with BACKUP_GONE where it is kept no more. */
  restore(shopId: number, table: string, backupId: string, act: string): Promise<PosTask>
}

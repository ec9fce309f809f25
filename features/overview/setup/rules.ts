// Owns what of 开始使用 is to do, what a line of a missing setting looks like, what a failure of the storage is in
// words, and how old a backup may be. Pure.
import type { NeededSetting, SetupReading, StepState } from '#kit/ports/setup.ts'

export const SETUP_REFUSALS = {
  STEP_UNKNOWN: '没有这一步，请刷新后重试',
  STEP_NECESSARY: '这一步必须完成，不能推迟',
} as const
export type SetupRefusal = keyof typeof SETUP_REFUSALS

type Step = { state: StepState; isPutOff: boolean }

/** Those that are shown as something to do. */
export function isToDo({ state, isPutOff }: Step): boolean {
  return state !== 'done' && !isPutOff
}

export function refusePuttingOff(step: { optional?: true } | undefined): SetupRefusal | null {
  if (!step) return 'STEP_UNKNOWN'
  return step.optional ? null : 'STEP_NECESSARY'
}

/** As it stands in an environment file; what a shell would read otherwise is quoted. */
export function settingLine({ name, example }: Pick<NeededSetting, 'name' | 'example'>): string {
  return /^[\w./:=+-]*$/.test(example) ? `${name}=${example}` : `${name}='${example}'`
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: '没有写入权限',
  EPERM: '没有写入权限',
  EROFS: '磁盘是只读的',
  ENOSPC: '磁盘已满',
  EDQUOT: '磁盘配额已用完',
  ENOENT: '文件夹不存在',
  ENOTDIR: '路径不是文件夹',
  ENOTFOUND: '找不到存储服务的地址',
  EAI_AGAIN: '找不到存储服务的地址',
  ECONNREFUSED: '存储服务拒绝连接',
  ECONNRESET: '存储服务断开了连接',
  ETIMEDOUT: '存储服务没有应答',
  TimeoutError: '存储服务没有应答',
  AccessDenied: '密钥没有读写这个存储桶的权限',
  InvalidAccessKeyId: '访问密钥 ID 不对',
  SignatureDoesNotMatch: '访问密钥不对',
  NoSuchBucket: '没有这个存储桶',
}

/** What keeps the storage from working, of whatever it threw: by its code, else by its own words. */
export function storageProblem(error: unknown): string {
  const { code, name, message, cause } = error as {
    code?: string
    name?: string
    message?: string
    cause?: unknown
  }
  const known = PROBLEMS[String(code)] ?? PROBLEMS[String(name)]
  if (known) return known
  return cause === undefined ? `出错：${message ?? String(error)}` : storageProblem(cause)
}

/**
 * `files` and `database`: a whole backup of them; `changes`: what was added to the database since, up to this moment; `restore`: one was brought
 * back and found sound.
 */
export const BACKUP_DEEDS = ['files', 'database', 'changes', 'restore'] as const
export type BackupDeed = (typeof BACKUP_DEEDS)[number]
/** Seconds since the last; infinitely many where there never was one. */
export type BackupAges = Readonly<Record<'backup' | 'changes' | 'restore', number>>

const HOUR = 3_600
const DAY = 24 * HOUR
/** Seconds. One a night, which may take an hour longer than the last; one restored each month. */
export const BACKUP_LIMITS = { backup: 25 * HOUR, restore: 30 * DAY } as const

const BACKUP_SETTINGS: readonly NeededSetting[] = [
  {
    name: 'BACKUP_FOLDER',
    meaning: '备份存放的文件夹，放在另一块磁盘上；也可以用存储桶（BACKUP_S3_…）',
    example: '/var/backups/partner-office',
  },
  {
    name: 'BACKUP_KEY',
    meaning: '备份的加密密钥（openssl rand -hex 32 生成），请另外保管',
    example: '0'.repeat(64),
  },
]

/** How it stands with backups. */
export function backupReading({ backup, restore }: BackupAges): SetupReading {
  if (backup === Number.POSITIVE_INFINITY)
    return {
      state: 'open',
      words: '还没有备份，机器损坏时数据会全部丢失。请设置存放位置和密钥，每晚运行 npm run backup。',
      settings: BACKUP_SETTINGS,
    }
  if (backup > BACKUP_LIMITS.backup)
    return {
      state: 'broken',
      words: `最近一次备份是${agoText(backup)}，应当每天一次。请在服务器上运行 npm run backup，看它怎么说。`,
    }
  const last = `最近一次备份是${agoText(backup)}`
  if (restore === Number.POSITIVE_INFINITY)
    return {
      state: 'open',
      words: `${last}，还没有试着恢复过。请在空文件夹里运行 npm run restore，确认备份可用。`,
    }
  if (restore > BACKUP_LIMITS.restore)
    return {
      state: 'broken',
      words: `${last}，上次试着恢复是${agoText(restore)}，应当每 30 天一次。请在空文件夹里运行 npm run restore。`,
    }
  return { state: 'done', words: `${last}，上次试着恢复是${agoText(restore)}` }
}

function agoText(seconds: number): string {
  if (seconds < HOUR) return '不到一小时前'
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} 小时前` : `${Math.floor(seconds / DAY)} 天前`
}

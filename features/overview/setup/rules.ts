// Owns what of 开始使用 is to do, what a line of a missing setting looks like, and what a failure of the storage is in words. Pure.
import type { NeededSetting, StepState } from '#kit/ports/setup.ts'

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

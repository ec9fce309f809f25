// What the desk sets: which offices may print, on which printers. Its file is the program's own; no page reads or writes it.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BRIDGE_LIMITS, BRIDGE_PORT, PRINT_LANGUAGE_KEYS } from '#kit/print/bridge/bridge.ts'
import { ZPL_FONT } from '#kit/print/zpl.ts'
import { writeWhole } from './files.ts'

const named = {
  /** By which pages name it. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,38}$/, '只能用小写字母、数字和连字符'),
  name: z.string().trim().min(1).max(40),
  language: z.enum(PRINT_LANGUAGE_KEYS),
  /** Dots a millimetre: 8 (203 dpi), 12 (300 dpi), 24 (600 dpi). */
  dots: z.literal([8, 12, 24]).default(8),
  /** The Chinese font of a ZPL printer, as it names it (E:SIMSUN.TTF): in text mode Chinese is set in it, and drawn without it. */
  font: z.string().regex(ZPL_FONT, '不是打印机的字体名，应如 E:SIMSUN.TTF').nullable().default(null),
}
const TargetSettings = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('file'), ...named, folder: z.string().min(1) }),
  z.strictObject({
    ...{ way: z.literal('tcp'), ...named },
    host: z.string().regex(/^[\w.:-]+$/, '不是主机名或地址'),
    port: z.int().min(1).max(65_535).default(9_100),
  }),
  // Not begun with a hyphen: it stands among the arguments of a program.
  z.strictObject({ way: z.literal('cups'), ...named, queue: z.string().regex(/^[A-Za-z0-9_][\w.-]*$/) }),
  z.strictObject({
    ...{ way: z.literal('serial'), ...named, device: z.string().min(1) },
    /** Of a serial port; unless told, as the system has it. */
    baud: z.literal([9_600, 19_200, 38_400, 57_600, 115_200]).optional(),
  }),
  // The name as Windows has it.
  z.strictObject({ way: z.literal('spool'), ...named, printer: z.string().min(1).max(300) }),
])
export type TargetSettings = z.infer<typeof TargetSettings>

const Config = z.strictObject({
  port: z.int().min(0).max(65_535).default(BRIDGE_PORT),
  /** Addresses of the offices whose pages may connect, as the address bar shows them, without a path. */
  origins: z
    .array(
      z.string().regex(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/, '不是网址的开头，应如 https://office.example.com'),
    )
    .default([]),
  targets: z
    .array(TargetSettings)
    .max(50)
    .default([])
    .refine(
      targets => new Set(targets.map(({ id }) => id)).size === targets.length,
      '有两台打印机的 id 相同',
    ),
  copiesMost: z.int().min(1).max(BRIDGE_LIMITS.copies).default(100),
  /** Rows of the job log that are kept; by them a job asked for again is known. */
  logMost: z.int().min(100).max(100_000).default(5_000),
  /** Bytes of printed jobs that are kept, to print them again. */
  keptMost: z
    .int()
    .min(0)
    .default(100 * 1_048_576),
  /** How long until a printer that could not be reached is tried again; twice as long each time, up to thirty times. */
  retryMs: z.int().min(10).default(1_000),
  /** After how long without progress a printer is said not to answer. */
  stallMs: z.int().min(50).default(10_000),
})
export type Config = z.infer<typeof Config>

const EXAMPLE = {
  origins: [],
  targets: [{ way: 'file', id: 'folder', name: '打印到文件夹', language: 'zpl', dots: 8, folder: 'printed' }],
}

/**
 * Makes the folder and a file to begin with where there is none; an office that is named is added to it. Throws an Error that names
 * what is wrong in it.
 */
export function readConfig(dir: string, address?: string): Config {
  const origin = address === undefined ? undefined : originOf(address)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'config.json')
  if (!existsSync(path)) {
    writeWhole(path, `${JSON.stringify(EXAMPLE, null, 2)}\n`)
  }
  let given: unknown
  try {
    given = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} 不是 JSON：${(error as Error).message}`)
  }
  const parsed = Config.safeParse(origin === undefined ? given : withOrigin(given, origin))
  if (parsed.success) {
    if (origin !== undefined) writeWhole(path, `${JSON.stringify(withOrigin(given, origin), null, 2)}\n`)
    return parsed.data
  }
  const problems = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${path} 有误。${problems.join('; ')}`)
}

/** Of an address as it is copied from the browser. */
function originOf(address: string): string {
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  if (!/^https?:/.test(origin)) throw new Error(`${address} 不是后台网址，应如 https://office.example.com`)
  return origin
}

function withOrigin(given: unknown, origin: string): unknown {
  const { origins = [], ...others } = given as { origins?: string[] }
  return { origins: [...origins.filter(one => one !== origin), origin], ...others }
}

/** Adds an office, as a page's address says it. Throws where the file has become wrong. */
export const allowOrigin = (dir: string, origin: string): void => void readConfig(dir, origin)

/** Writes the printers anew; what else stands in the file stays. */
export function writeTargets(dir: string, targets: readonly TargetSettings[]): void {
  const path = join(dir, 'config.json')
  const given = JSON.parse(readFileSync(path, 'utf8')) as object
  writeWhole(path, `${JSON.stringify({ ...given, targets }, null, 2)}\n`)
}

// Every setting of the program, read and checked once. docs/OPERATING.md documents them; nothing else reads process.env.
import { isAbsolute, relative, resolve } from 'node:path'
import { z } from 'zod'
import { BRIDGE_PORT } from '#kit/print/bridge/bridge.ts'
import { parseNetwork } from '#kit/words/addresses.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `is below ${min}`).max(max, `is above ${max}`))

/** Of a bucket of a service that speaks S3: the names of its settings, behind what they are for. */
const OF_A_BUCKET = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'REGION', 'STYLE'] as const
type BucketPrefix = 'STORAGE_S3' | 'BACKUP_S3'

function bucketSettings<P extends BucketPrefix>(prefix: P) {
  const shapes = {
    ENDPOINT: z
      .string()
      .regex(
        /^https?:\/\/[^/?#@\s]+$/,
        'must start with http:// or https:// and be an address without a path',
      )
      .optional(),
    BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
      .optional(),
    ACCESS_KEY_ID: z.string().optional(),
    SECRET_ACCESS_KEY: z.string().optional(),
    REGION: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
      .default('us-east-1'),
    STYLE: z.enum(['path', 'host'], 'must be path or host').default('path'),
  }
  type Shapes = { [Name in keyof typeof shapes as `${P}_${Name}`]: (typeof shapes)[Name] }
  return Object.fromEntries(OF_A_BUCKET.map(name => [`${prefix}_${name}`, shapes[name]])) as Shapes
}

const Settings = z.object({
  PORT: number(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_READ_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits (openssl rand -hex 32)')
    .optional(),
  FIELD_KEYS: z.string().optional(),
  PUBLIC_URL: z
    .string()
    .regex(
      /^https?:\/\/[^/?#\s]+\/?$/,
      'must start with http:// or https:// and be an address without a path',
    )
    .optional(),
  SHOP_LOGIN_URL: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must start with http:// or https://')
    .optional(),
  AGENT_DOMAIN_SUFFIX: z
    .string()
    .toLowerCase()
    .regex(
      /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
      'must be a domain name, without a dot before it',
    )
    .optional(),
  TRUST_PROXY: number(0, 10).default(0),
  MONITORS_FROM: z
    .string()
    .transform(text => text.split(',').map(one => one.trim()))
    .refine(
      all => all.every(one => parseNetwork(one)),
      'must be addresses or networks (10.0.0.0/8), separated by commas',
    )
    .default(['127.0.0.0/8', '::1']),
  CHECKPOINT_KEY_FILE: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must start with http:// or https://')
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number between 0 and 1')
    .min(0, 'is below 0')
    .max(1, 'is above 1')
    .default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  PROCESSES: number(1, 64).default(1),
  POOL_SIZE: number(2, 200).default(20),
  QUERY_TIMEOUT_MS: number(100, 600_000).default(10_000),
  EXPORT_NICENESS: number(0, 19).default(10),
  SESSION_IDLE_MINUTES: number(1, 10_080).default(480),
  SESSION_MAX_DAYS: number(1, 90).default(7),
  LOGIN_FAILURES_MAX: number(3, 1000).default(10),
  HELP_LINE: z.string().trim().max(60, 'has more than 60 characters').optional(),
  SIMULATORS: z.enum(['on', 'off'], 'must be on or off').optional(),
  ...bucketSettings('STORAGE_S3'),
  BACKUP_FOLDER: z
    .string()
    .refine(isAbsolute, 'must be a whole path, from the root of the disk on')
    .optional(),
  ...bucketSettings('BACKUP_S3'),
  BACKUP_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits (openssl rand -hex 32)')
    .optional(),
  BACKUP_KEEP: number(1, 1000).default(7),
  BRIDGE_PORT: number(1, 65_535).default(BRIDGE_PORT),
  WEBHOOKS_TO_LOOPBACK: z.enum(['on', 'off'], 'must be on or off').optional(),
  COMPAT_CALLS: z.enum(['on', 'off'], 'must be on or off').optional(),
})

/** All that this program reads itself; outside services have more. */
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.shape)

/** Where files are kept in place of DATA_DIR: a bucket of a service that speaks S3. */
export type Bucket = {
  endpoint: string
  name: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether the bucket's name stands in the path of an address or before its host. */
  style: 'path' | 'host'
}

/** Where backups go, as a storage is opened; the key that they are encrypted with; how many whole ones are kept. */
export type Backup = { home: { bucket: Bucket | null; dataDir: string }; key: string; keep: number }

/** A name that is nobody's. */
const DEMO_SHOPS = 'https://pos.example.com/login'
/** Browsers look for any name under it on their own machine. */
const DEMO_AGENT_DOMAINS = 'localhost'

export type Env = {
  port: number
  host: string
  dataDir: string
  bucket: Bucket | null
  /** Where backups go; none: none are made. */
  backup: Backup | null
  databaseUrl: string | undefined
  databaseReadUrl: string | undefined
  secretKey: string | undefined
  /** Keys that fields are encrypted with beside the one that the secret gives; the first encrypts. */
  fieldKeys: string | undefined
  publicUrl: string | undefined
  /** Where shops log in to what they bought. */
  shopLoginUrl: string | undefined
  /** What stands behind the label that an agent chooses for its domain; none: agents have no domains. */
  agentDomainSuffix: string | undefined
  /** How many proxies in front are believed about who calls. */
  trustProxy: number
  /** Addresses and networks from which metrics and the descriptions of operations are read without signing in. */
  monitorsFrom: readonly string[]
  /** What signs checkpoints of ledger and log; none: a file in `dataDir`. */
  checkpointKeyFile: string | undefined
  /** Where traces go, and how many of them; null: none are made. */
  traces: { endpoint: string; share: number } | null
  logLevel: string
  /** How many answer behind one listener. */
  processes: number
  /** Of each process. */
  poolSize: number
  queryTimeoutMs: number
  /** Of the program that writes an export, behind everything else on its machine. */
  exportNiceness: number
  sessionIdleMinutes: number
  sessionMaxDays: number
  loginFailuresMax: number
  /** Whom partners call for help, as the login page says it. */
  helpLine: string | undefined
  /** Demo data is created, and said on every page, where the program runs its own database. */
  demo: boolean
  /** Outside services that are not configured are simulated on loopback; by default in the demo alone. */
  simulators: boolean
  /** What is sent to addresses that partners name may go to this machine; by default in the demo alone. */
  webhooksToLoopback: boolean
  /** The calls of the documents are answered, for clients that already exist; by default in the demo alone. */
  compat: boolean
  /** Where the print program of a desk listens, on that desk's own machine. */
  bridgePort: number
  /** All others as they were given: the rooms of outside services read what is theirs. */
  outside: Readonly<Record<string, string>>
}

/** Reads settings from an environment. Throws an Error that names each wrong variable in words. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Settings are wrong. ${problems.join('; ')}`)
  }
  const settings = parsed.data
  const demo = settings.DATABASE_URL === undefined
  if (demo && settings.DATABASE_READ_URL !== undefined)
    throw new Error(
      'Settings are wrong. DATABASE_READ_URL: names a standby of DATABASE_URL, which is missing',
    )
  if (!demo && settings.SECRET_KEY === undefined)
    throw new Error('Settings are wrong. SECRET_KEY: is required with DATABASE_URL (openssl rand -hex 32)')
  if (demo && !isLoopback(settings.HOST))
    throw new Error(
      'Settings are wrong. HOST: demo data is served on loopback only; set DATABASE_URL to listen elsewhere',
    )
  if (!demo && settings.PUBLIC_URL === undefined && !isLoopback(settings.HOST))
    throw new Error(
      'Settings are wrong. PUBLIC_URL: is required where HOST is not loopback (the address that people use)',
    )
  if (!demo && settings.TRUST_PROXY === 0 && settings.PUBLIC_URL?.startsWith('https:'))
    throw new Error(
      'Settings are wrong. TRUST_PROXY: is 0, yet https is spoken by a proxy in front (PUBLIC_URL): set it to the number of proxies',
    )
  const simulators = settings.SIMULATORS === undefined ? demo : settings.SIMULATORS === 'on'
  const severally = whyNotSeverally(settings, { demo, simulators })
  if (severally) throw new Error(`Settings are wrong. ${severally}`)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    bucket: bucketOf(settings, 'STORAGE_S3', 'files'),
    backup: backupOf(settings),
    databaseUrl: settings.DATABASE_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    secretKey: settings.SECRET_KEY,
    fieldKeys: settings.FIELD_KEYS,
    publicUrl: settings.PUBLIC_URL,
    shopLoginUrl: settings.SHOP_LOGIN_URL ?? (demo ? DEMO_SHOPS : undefined),
    agentDomainSuffix: settings.AGENT_DOMAIN_SUFFIX ?? (demo ? DEMO_AGENT_DOMAINS : undefined),
    trustProxy: settings.TRUST_PROXY,
    monitorsFrom: settings.MONITORS_FROM,
    checkpointKeyFile: settings.CHECKPOINT_KEY_FILE,
    logLevel: settings.LOG_LEVEL,
    traces: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, share: settings.OTEL_TRACES_SAMPLER_ARG }
      : null,
    processes: settings.PROCESSES,
    poolSize: Math.floor(settings.POOL_SIZE / settings.PROCESSES),
    queryTimeoutMs: settings.QUERY_TIMEOUT_MS,
    exportNiceness: settings.EXPORT_NICENESS,
    sessionIdleMinutes: settings.SESSION_IDLE_MINUTES,
    sessionMaxDays: settings.SESSION_MAX_DAYS,
    loginFailuresMax: settings.LOGIN_FAILURES_MAX,
    helpLine: settings.HELP_LINE ?? (demo ? '400-000-0000（演示号码）' : undefined),
    demo,
    simulators,
    webhooksToLoopback: (settings.WEBHOOKS_TO_LOOPBACK ?? (demo ? 'on' : 'off')) === 'on',
    compat: (settings.COMPAT_CALLS ?? (demo ? 'on' : 'off')) === 'on',
    bridgePort: settings.BRIDGE_PORT,
    outside: Object.fromEntries(
      Object.entries(given).filter(([name]) => !(name in Settings.shape)),
    ) as Record<string, string>,
  }
}

/** Less, and one list takes all connections of a process. */
const POOL_LEAST_OF_SEVERAL = 4

/** What hinders an office from being several processes. */
function whyNotSeverally(
  { PROCESSES, POOL_SIZE }: z.infer<typeof Settings>,
  { demo, simulators }: Pick<Env, 'demo' | 'simulators'>,
): string | null {
  if (PROCESSES === 1) return null
  if (demo)
    return 'PROCESSES: needs DATABASE_URL: the demo has its database and what it simulates in one process'
  if (simulators)
    return 'PROCESSES: needs SIMULATORS=off: each process would have simulated services of its own'
  if (POOL_SIZE < PROCESSES * POOL_LEAST_OF_SEVERAL)
    return `POOL_SIZE: must be at least ${PROCESSES * POOL_LEAST_OF_SEVERAL} for ${PROCESSES} processes`
  return null
}

const NEEDED_OF_A_BUCKET = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const

function bucketOf(settings: z.infer<typeof Settings>, prefix: BucketPrefix, purpose: string): Bucket | null {
  const given = (name: (typeof OF_A_BUCKET)[number]) => settings[`${prefix}_${name}`] as string
  const missing = NEEDED_OF_A_BUCKET.filter(name => given(name) === undefined)
  if (missing.length === NEEDED_OF_A_BUCKET.length) return null
  if (missing.length > 0)
    throw new Error(`Settings are wrong. ${prefix}_${missing[0]}: is required to keep ${purpose} in a bucket`)
  return {
    endpoint: given('ENDPOINT'),
    name: given('BUCKET'),
    region: given('REGION'),
    accessKeyId: given('ACCESS_KEY_ID'),
    secretAccessKey: given('SECRET_ACCESS_KEY'),
    style: given('STYLE') as Bucket['style'],
  }
}

function backupOf(settings: z.infer<typeof Settings>): Backup | null {
  const { BACKUP_FOLDER: folder, BACKUP_KEY: key, BACKUP_KEEP: keep, DATA_DIR: dataDir } = settings
  const bucket = bucketOf(settings, 'BACKUP_S3', 'backups')
  const wrong = (name: string, words: string) => new Error(`Settings are wrong. ${name}: ${words}`)
  if (folder === undefined && bucket === null) {
    if (key === undefined) return null
    throw wrong('BACKUP_KEY', 'backups have no place; set BACKUP_FOLDER or BACKUP_S3_…')
  }
  if (key === undefined)
    throw wrong('BACKUP_KEY', 'is required to make or read backups (openssl rand -hex 32)')
  if (
    !bucket &&
    folder !== undefined &&
    (isWithin(folder, resolve(dataDir)) || isWithin(resolve(dataDir), folder))
  )
    throw wrong('BACKUP_FOLDER', 'must lie apart from DATA_DIR, best on another disk')
  const files = bucketOf(settings, 'STORAGE_S3', 'files')
  if (bucket && files && bucket.endpoint === files.endpoint && bucket.name === files.name)
    throw wrong('BACKUP_S3_BUCKET', 'must be another bucket than that of the files')
  return { home: { bucket, dataDir: folder ?? '' }, key, keep }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

// Starts the simulators of all services that the product needs, each on a loopback port of its own, and a simulated phone that
// finds the one that made a code. Keys are kept in a file, so that codes and callbacks of before a restart still verify.
import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PAY_CHANNELS, type PayChannelName, perChannel } from '#kit/ports/channels.ts'
import { aliyunOcrSettings, makeAliyunOcrKeys, startAliyunOcrSimulator } from './aliyun-ocr/simulator.ts'
import { aliyunSmsSettings, makeAliyunSmsKeys, startAliyunSmsSimulator } from './aliyun-sms/simulator.ts'
import {
  makePosServiceKeys,
  type PosServiceSimulator,
  posServiceSettings,
  startPosServiceSimulator,
} from './pos/simulator.ts'
import { type ROOMS, roomOf } from './rooms.ts'
import type { PaySimulation, PaySimulator } from './simulated-room.ts'
import type { PreloadedTemplate } from './simulated-sms-registry.ts'
import { json, type RunningSimulator, startSimulator } from './simulator.ts'
import { makeTencentOcrKeys, startTencentOcrSimulator, tencentOcrSettings } from './tencent-ocr/simulator.ts'
import { makeTencentSmsKeys, startTencentSmsSimulator, tencentSmsSettings } from './tencent-sms/simulator.ts'
import {
  makeTianqueKeys,
  startTianqueSimulator,
  TIANQUE_CODES,
  type TianqueSimulator,
  tianqueSettings,
} from './tianque/simulator.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
  wechatOpenSettings,
} from './wechat-open/simulator.ts'

export type SimulatorsOptions = {
  /** Keeps the keys over restarts; null: fresh ones. */
  keysFile: string | null
  signature: string
  /** By service: Aliyun's templates carry names, Tencent's numbers. */
  templates: { aliyun: readonly PreloadedTemplate[]; tencent: readonly PreloadedTemplate[] }
  /** Off for tests and load. */
  smsLimits?: boolean
  /** After which the services decide on a signature by themselves. */
  signatureReviewMs?: number
  /** What the documented gaps between repeated callbacks are multiplied by. */
  callbackScale?: number
  /** How long a backup of a shop's data takes; at once where absent. */
  posPaceMs?: number
  /** Any where absent. */
  ports?: SimulatorPorts
}

const SERVICES = [
  'aliyun',
  'tencent',
  'aliyunOcr',
  'tencentOcr',
  'pos',
  'tianque',
  'wechatOpen',
  'phone',
] as const

/** The channels that are simulated. */
export const SIMULATED_CHANNELS = PAY_CHANNELS.filter(name => roomOf(name).simulated)
export const SIMULATED = [...SIMULATED_CHANNELS, ...SERVICES] as const
export type SimulatorPorts = Record<(typeof SERVICES)[number], number> &
  Partial<Record<PayChannelName, number>>

type Simulation<C extends PayChannelName> = (typeof ROOMS)[C]['simulated']
/** What each channel's simulation gives: undefined where there is none. */
type OfChannels<Of extends 'start' | 'settings' | 'ownValues'> = {
  [C in PayChannelName]: Simulation<C> extends Record<Of, (...args: never) => infer Given>
    ? Awaited<Given>
    : undefined
}

export type Simulators = OfChannels<'start'> & {
  aliyun: Awaited<ReturnType<typeof startAliyunSmsSimulator>>
  tencent: Awaited<ReturnType<typeof startTencentSmsSimulator>>
  aliyunOcr: RunningSimulator
  tencentOcr: RunningSimulator
  /** Where shops' own data lie. */
  pos: PosServiceSimulator
  tianque: TianqueSimulator
  wechatOpen: WechatOpenSimulator
  /** The channel's, whichever it is; throws where it is not simulated. */
  paying(channel: PayChannelName): PaySimulator
  /** What clients must be told. */
  settings: ReturnType<typeof settingsAt>
  /** What an agent may give as its own accounts. */
  own: ReturnType<typeof ownValuesOf>
  ports: SimulatorPorts
  /** Where each channel is that is simulated. */
  payUrls: Partial<Record<PayChannelName, string>>
  /** Pays any code of theirs: `?code=`. */
  phoneUrl: string
  /** Where receipts go from now on. */
  setReceiptsUrl(of: (service: 'aliyun' | 'tencent') => string): void
  /** Where the platform of mini programs tells its events; those of one below it, by its appid. */
  setProgramEventsUrl(url: string): void
  stop(): Promise<void>
}

type PayKeys = Record<PayChannelName, unknown>

function makeKeys() {
  return {
    ...perChannel<unknown>(name => roomOf(name).simulated?.makeKeys()),
    aliyun: makeAliyunSmsKeys(),
    tencent: makeTencentSmsKeys(),
  }
}

/** Of merchants beside the vendor, which an agent is. */
function makeOwnKeys(): PayKeys {
  return perChannel<unknown>(name => roomOf(name).simulated?.makeOwnKeys())
}

function makeOcrKeys() {
  return { aliyun: makeAliyunOcrKeys(), tencent: makeTencentOcrKeys() }
}
type Keys = ReturnType<typeof makeKeys> & {
  own: PayKeys
  ocr: ReturnType<typeof makeOcrKeys>
  pos: ReturnType<typeof makePosServiceKeys>
  tianque: ReturnType<typeof makeTianqueKeys>
  wechatOpen: ReturnType<typeof makeWechatOpenKeys>
}

/** Kept in no file: those of all simulators of this process, since to make them takes a second. */
let unkept: Keys | null = null

export function keysOf(file: string | null): Keys {
  if (file === null) {
    unkept ??= {
      ...makeKeys(),
      own: makeOwnKeys(),
      ocr: makeOcrKeys(),
      pos: makePosServiceKeys(),
      tianque: makeTianqueKeys(),
      wechatOpen: makeWechatOpenKeys(),
    }
    return structuredClone(unkept)
  }
  // Beside the others, whose file may be older.
  const beside = (name: string) => file.replace(/(\.json)?$/, `-${name}.json`)
  const [first, own] = [kept(file, makeKeys), kept(beside('own'), makeOwnKeys)]
  const of = (name: PayChannelName) => {
    const { simulated } = roomOf(name)
    if (!simulated || first[name]) return { keys: first[name], own: own[name] }
    return kept(beside(name), () => ({ keys: simulated.makeKeys(), own: simulated.makeOwnKeys() }))
  }
  return {
    ...first,
    ...perChannel(name => of(name).keys),
    own: perChannel(name => of(name).own),
    ocr: kept(beside('ocr'), makeOcrKeys),
    pos: kept(beside('pos'), makePosServiceKeys),
    tianque: kept(beside('tianque'), makeTianqueKeys),
    wechatOpen: kept(beside('wechat-open'), makeWechatOpenKeys),
  }
}

function kept<T>(file: string, make: () => T): T {
  if (!existsSync(file)) keepFirst(file, make())
  return JSON.parse(readFileSync(file, 'utf8')) as T
}

/** Something of each channel that is simulated: what its room gives is of the type that its room says. */
function ofChannels<Of extends 'start' | 'settings' | 'ownValues'>(
  of: (simulation: PaySimulation, name: PayChannelName) => unknown,
): OfChannels<Of> {
  return perChannel<unknown>(name => {
    const { simulated } = roomOf(name)
    return simulated ? of(simulated, name) : undefined
  }) as OfChannels<Of>
}

/** What the agent whom the simulators know was given by the services, by the names of `kit/ports/channels.ts`. */
export function ownValuesOf(keys: Keys) {
  return ofChannels<'ownValues'>((simulation, name) => simulation.ownValues(keys[name], keys.own[name]))
}

/** Writes the file whole or not at all; false: somebody else was first, and theirs stays. */
export function keepFirst(file: string, value: unknown): boolean {
  mkdirSync(dirname(file), { recursive: true })
  const fresh = `${file}.${randomUUID()}`
  writeFileSync(fresh, JSON.stringify(value), { mode: 0o600 })
  try {
    linkSync(fresh, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(fresh)
  }
}

/** The same for all who have the same keys, and for nobody else. */
export function secretOf(keys: Keys, purpose: 'identity' | 'receipts'): string {
  return createHmac('sha256', JSON.stringify(keys)).update(purpose).digest('base64url')
}

const urlAt = (port: number) => `http://127.0.0.1:${port}`

/** As the services' consoles would have approved the vendor's. */
const QUALIFICATIONS = { aliyun: '2004393', tencent: '700101' }
/** A picture of one point. */
const PROOF_IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function settingsAt(keys: Keys, ports: SimulatorPorts) {
  return {
    ...ofChannels<'settings'>((simulation, name) => simulation.settings(keys[name], urlAt(ports[name] ?? 0))),
    aliyun: aliyunSmsSettings(keys.aliyun, urlAt(ports.aliyun)),
    tencent: tencentSmsSettings(keys.tencent, urlAt(ports.tencent)),
    aliyunOcr: aliyunOcrSettings(keys.ocr.aliyun, urlAt(ports.aliyunOcr)),
    tencentOcr: tencentOcrSettings(keys.ocr.tencent, urlAt(ports.tencentOcr)),
    pos: posServiceSettings(keys.pos, urlAt(ports.pos)),
    tianque: tianqueSettings(keys.tianque, urlAt(ports.tianque)),
    wechatOpen: wechatOpenSettings(keys.wechatOpen, urlAt(ports.wechatOpen)),
    aliyunSignatures: { qualificationId: QUALIFICATIONS.aliyun },
    tencentSignatures: { qualificationId: QUALIFICATIONS.tencent, proofImage: PROOF_IMAGE },
  }
}

export const payUrlsAt = (ports: SimulatorPorts) =>
  Object.fromEntries(SIMULATED_CHANNELS.map(name => [name, urlAt(ports[name] ?? 0)])) as Simulators['payUrls']

export const phoneUrlAt = ({ phone }: SimulatorPorts) => `${urlAt(phone)}/__sim/phone`

export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const keys = keysOf(options.keysFile)
  const { signature, templates, smsLimits: limits = true, callbackScale, posPaceMs = 0, ports } = options
  const { signatureReviewMs: reviewMs } = options
  const paced = callbackScale === undefined ? {} : { callbackScale }
  const reviewed = reviewMs === undefined ? {} : { reviewMs }
  const kept = options.keysFile === null ? {} : { folder: dirname(options.keysFile) }
  const started: RunningSimulator[] = []
  const keep = async <S extends RunningSimulator>(starting: Promise<S>): Promise<S> => {
    const one = await starting
    started.push(one)
    return one
  }
  const stop = async () => {
    await Promise.all(started.map(one => one.stop()))
  }
  try {
    const channels: Partial<Record<PayChannelName, PaySimulator>> = {}
    for (const name of SIMULATED_CHANNELS) {
      const pace = { ...paced, ...kept }
      const starting = roomOf(name).simulated?.start(keys[name], keys.own[name], pace, ports?.[name])
      if (starting) channels[name] = await keep(starting)
    }
    const paying = (channel: PayChannelName) => {
      const found = channels[channel]
      if (!found) throw new Error(`${channel} is not simulated`)
      return found
    }
    const fileOf = (of: 'aliyun' | 'tencent') =>
      options.keysFile === null
        ? {}
        : { registryFile: join(dirname(options.keysFile), `simulator-signatures-${of}.json`) }
    const registry = (of: 'aliyun' | 'tencent') => ({
      signatures: [signature],
      templates: templates[of],
      qualifications: [QUALIFICATIONS[of]],
    })
    const aliyun = await keep(
      startAliyunSmsSimulator(
        {
          keys: keys.aliyun,
          registry: registry('aliyun'),
          ...fileOf('aliyun'),
          limits,
          ...paced,
          ...reviewed,
        },
        ports?.aliyun,
      ),
    )
    const tencent = await keep(
      startTencentSmsSimulator(
        {
          keys: keys.tencent,
          registry: registry('tencent'),
          ...fileOf('tencent'),
          limits,
          ...paced,
          ...reviewed,
        },
        ports?.tencent,
      ),
    )
    const aliyunOcr = await keep(startAliyunOcrSimulator({ keys: keys.ocr.aliyun }, ports?.aliyunOcr))
    const tencentOcr = await keep(startTencentOcrSimulator({ keys: keys.ocr.tencent }, ports?.tencentOcr))
    const pos = await keep(
      startPosServiceSimulator(
        {
          keys: keys.pos,
          file: options.keysFile === null ? null : join(dirname(options.keysFile), 'simulator-pos.json'),
          paceMs: posPaceMs,
        },
        ports?.pos,
      ),
    )
    const tianque = await keep(startTianqueSimulator(keys.tianque, ports?.tianque))
    const wechatOpen = await keep(
      startWechatOpenSimulator(
        keys.wechatOpen,
        {
          file:
            options.keysFile === null
              ? null
              : join(dirname(options.keysFile), 'simulator-wechat-open-book.json'),
          ...paced,
        },
        ports?.wechatOpen,
      ),
    )
    const phone = await keep(
      startPhone(
        { inbox: { aliyun: aliyun.url, tencent: tencent.url }, channels, tianque: tianque.url },
        secretOf(keys, 'identity'),
        ports?.phone,
      ),
    )
    const portOf = ({ url }: RunningSimulator) => Number(new URL(url).port)
    const used: SimulatorPorts = {
      ...Object.fromEntries(SIMULATED_CHANNELS.map(name => [name, portOf(paying(name))])),
      aliyun: portOf(aliyun),
      tencent: portOf(tencent),
      aliyunOcr: portOf(aliyunOcr),
      tencentOcr: portOf(tencentOcr),
      pos: portOf(pos),
      tianque: portOf(tianque),
      wechatOpen: portOf(wechatOpen),
      phone: portOf(phone),
    }
    return {
      ...ofChannels<'start'>((_, name) => paying(name)),
      paying,
      aliyun,
      tencent,
      aliyunOcr,
      tencentOcr,
      pos,
      tianque,
      wechatOpen,
      settings: settingsAt(keys, used),
      own: ownValuesOf(keys),
      ports: used,
      payUrls: payUrlsAt(used),
      phoneUrl: phoneUrlAt(used),
      setReceiptsUrl(of) {
        aliyun.setReceiptsUrl(of('aliyun'))
        tencent.setReceiptsUrl(of('tencent'))
      },
      setProgramEventsUrl: url =>
        wechatOpen.setEventUrls({ platform: url, program: appid => `${url}/${appid}` }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Led = {
  inbox: Record<'aliyun' | 'tencent', string>
  channels: Partial<Record<PayChannelName, PaySimulator>>
  tianque: string
}

/** One address for all codes: it leads on to the service that made the code, and refuses in words what none of them made. */
function startPhone(
  { inbox, channels, tianque }: Led,
  identity: string,
  port = 0,
): Promise<RunningSimulator> {
  const leadTo = (location: string) => ({ status: 302, headers: { location } })
  return startSimulator(
    {
      nameOf: () => null,
      handle: () => json({}),
      errorOf: (code, message) => json({ code, message }, 400),
      control(path, { query }) {
        if (path === 'identity') return json({ identity })
        if (path === 'inbox')
          return leadTo(`${inbox[query.get('sms') === 'tencent' ? 'tencent' : 'aliyun']}/__sim/inbox`)
        if (path !== 'phone') return null
        const code = query.get('code')?.trim() ?? ''
        // An address to sign at is the simulator's own.
        if (Object.values(channels).some(({ url }) => code.startsWith(`${url}/`))) return leadTo(code)
        const made = SIMULATED_CHANNELS.find(name => {
          const codes = roomOf(name).simulated?.codes
          return codes !== undefined && code.startsWith(codes)
        })
        const at = code.startsWith(TIANQUE_CODES) ? tianque : made && channels[made]?.url
        if (at === undefined) return NO_PHONE
        return leadTo(`${at}/__sim/phone?code=${encodeURIComponent(code)}`)
      },
    },
    port,
  )
}

const NO_PHONE = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '没有模拟手机能付这个码：它不是模拟的支付渠道生成的',
}

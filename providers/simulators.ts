// Starts the simulators of all services that the product needs, each on a loopback port of its own, and a simulated phone that
// finds the one that made a code. Keys are kept in a file, so that codes and callbacks of before a restart still verify.
import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type AlipaySimulator,
  alipaySettingsFor,
  makeAlipayKeys,
  startAlipaySimulator,
} from './alipay/simulator.ts'
import { aliyunOcrSettings, makeAliyunOcrKeys, startAliyunOcrSimulator } from './aliyun-ocr/simulator.ts'
import { aliyunSmsSettings, makeAliyunSmsKeys, startAliyunSmsSimulator } from './aliyun-sms/simulator.ts'
import {
  makePosServiceKeys,
  type PosServiceSimulator,
  posServiceSettings,
  startPosServiceSimulator,
} from './pos/simulator.ts'
import type { PreloadedTemplate } from './simulated-sms-registry.ts'
import { json, type RunningSimulator, startSimulator } from './simulator.ts'
import { makeTencentOcrKeys, startTencentOcrSimulator, tencentOcrSettings } from './tencent-ocr/simulator.ts'
import { makeTencentSmsKeys, startTencentSmsSimulator, tencentSmsSettings } from './tencent-sms/simulator.ts'
import {
  makeParty,
  makeWechatPayKeys,
  startWechatPaySimulator,
  type WechatPaySimulator,
  settingsFor as wechatSettingsFor,
} from './wechat-pay/simulator.ts'

export type SimulatorsOptions = {
  /** Keeps the keys over restarts; null: fresh ones. */
  keysFile: string | null
  signature: string
  /** By service: Aliyun's templates carry names, Tencent's numbers. */
  templates: { aliyun: readonly PreloadedTemplate[]; tencent: readonly PreloadedTemplate[] }
  /** Off for tests and load. */
  smsLimits?: boolean
  /** What the documented gaps between repeated callbacks are multiplied by. */
  callbackScale?: number
  /** How long a backup of a shop's data takes; at once where absent. */
  posPaceMs?: number
  /** Any where absent. */
  ports?: SimulatorPorts
}

export const SIMULATED = [
  'wechat',
  'alipay',
  'aliyun',
  'tencent',
  'aliyunOcr',
  'tencentOcr',
  'pos',
  'phone',
] as const
export type SimulatorPorts = Record<(typeof SIMULATED)[number], number>

export type Simulators = {
  wechat: WechatPaySimulator
  alipay: AlipaySimulator
  aliyun: Awaited<ReturnType<typeof startAliyunSmsSimulator>>
  tencent: Awaited<ReturnType<typeof startTencentSmsSimulator>>
  aliyunOcr: RunningSimulator
  tencentOcr: RunningSimulator
  /** Where shops' own data lie. */
  pos: PosServiceSimulator
  /** What clients must be told. */
  settings: ReturnType<typeof settingsAt>
  /** What an agent may give as its own accounts. */
  own: ReturnType<typeof ownValuesOf>
  ports: SimulatorPorts
  /** Pays any code: `?code=`. */
  phoneUrl: string
  /** Where receipts go from now on. */
  setReceiptsUrl(of: (service: 'aliyun' | 'tencent') => string): void
  stop(): Promise<void>
}

function makeKeys() {
  return {
    wechat: makeWechatPayKeys(),
    alipay: makeAlipayKeys(),
    aliyun: makeAliyunSmsKeys(),
    tencent: makeTencentSmsKeys(),
  }
}
type FirstKeys = ReturnType<typeof makeKeys>

/** A merchant beside the vendor's, whom an agent is. */
function makeOwnKeys() {
  return { wechat: makeParty('演示代理商', '1900000003', []), alipay: makeAlipayKeys() }
}

function makeOcrKeys() {
  return { aliyun: makeAliyunOcrKeys(), tencent: makeTencentOcrKeys() }
}
type Keys = FirstKeys & {
  own: ReturnType<typeof makeOwnKeys>
  ocr: ReturnType<typeof makeOcrKeys>
  pos: ReturnType<typeof makePosServiceKeys>
}

/** Kept in no file: those of all simulators of this process, since to make them takes a second. */
let unkept: Keys | null = null

export function keysOf(file: string | null): Keys {
  if (file === null) {
    unkept ??= { ...makeKeys(), own: makeOwnKeys(), ocr: makeOcrKeys(), pos: makePosServiceKeys() }
    return structuredClone(unkept)
  }
  // Beside the others, whose file may be older.
  const beside = (name: string) => file.replace(/(\.json)?$/, `-${name}.json`)
  return {
    ...kept(file, makeKeys),
    own: kept(beside('own'), makeOwnKeys),
    ocr: kept(beside('ocr'), makeOcrKeys),
    pos: kept(beside('pos'), makePosServiceKeys),
  }
}

function kept<T>(file: string, make: () => T): T {
  if (!existsSync(file)) keepFirst(file, make())
  return JSON.parse(readFileSync(file, 'utf8')) as T
}

/** What the agent whom the simulators know was given by the services, by the names of `kit/channels.ts`. */
export function ownValuesOf({ own, wechat }: Keys) {
  return {
    wechat: {
      appid: own.wechat.appid,
      mchid: own.wechat.mchid,
      serial: own.wechat.serial,
      privateKey: own.wechat.privateKeyPem,
      apiV3Key: own.wechat.apiV3Key,
      publicKeyId: wechat.publicKey.id,
      publicKey: wechat.publicKey.publicKeyPem,
      appSecret: wechat.appSecret,
    },
    alipay: {
      appId: own.alipay.appId,
      sellerId: own.alipay.sellerId,
      privateKey: own.alipay.appPrivateKey,
      alipayPublicKey: own.alipay.alipayPublicKey,
      signType: 'RSA2',
    },
  } satisfies Record<string, Record<string, string>>
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
    wechat: wechatSettingsFor(keys.wechat, urlAt(ports.wechat), { merchant: 'partner', mode: 'public-key' }),
    alipay: alipaySettingsFor(keys.alipay, urlAt(ports.alipay)),
    aliyun: aliyunSmsSettings(keys.aliyun, urlAt(ports.aliyun)),
    tencent: tencentSmsSettings(keys.tencent, urlAt(ports.tencent)),
    aliyunOcr: aliyunOcrSettings(keys.ocr.aliyun, urlAt(ports.aliyunOcr)),
    tencentOcr: tencentOcrSettings(keys.ocr.tencent, urlAt(ports.tencentOcr)),
    pos: posServiceSettings(keys.pos, urlAt(ports.pos)),
    aliyunSignatures: { qualificationId: QUALIFICATIONS.aliyun },
    tencentSignatures: { qualificationId: QUALIFICATIONS.tencent, proofImage: PROOF_IMAGE },
  }
}

export const phoneUrlAt = ({ phone }: SimulatorPorts) => `${urlAt(phone)}/__sim/phone`

export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const keys = keysOf(options.keysFile)
  const { signature, templates, smsLimits: limits = true, callbackScale, posPaceMs = 0, ports } = options
  const paced = callbackScale === undefined ? {} : { callbackScale }
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
    const wechat = await keep(
      startWechatPaySimulator(
        { keys: { ...keys.wechat, others: [keys.own.wechat] }, mode: 'public-key', ...paced },
        ports?.wechat,
      ),
    )
    const alipay = await keep(
      startAlipaySimulator({ keys: keys.alipay, others: [keys.own.alipay], ...paced }, ports?.alipay),
    )
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
        { keys: keys.aliyun, registry: registry('aliyun'), ...fileOf('aliyun'), limits, ...paced },
        ports?.aliyun,
      ),
    )
    const tencent = await keep(
      startTencentSmsSimulator(
        { keys: keys.tencent, registry: registry('tencent'), ...fileOf('tencent'), limits, ...paced },
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
    const phone = await keep(
      startPhone(
        { wechat: wechat.url, alipay: alipay.url, aliyun: aliyun.url, tencent: tencent.url },
        secretOf(keys, 'identity'),
        ports?.phone,
      ),
    )
    const portOf = ({ url }: RunningSimulator) => Number(new URL(url).port)
    const used: SimulatorPorts = {
      wechat: portOf(wechat),
      alipay: portOf(alipay),
      aliyun: portOf(aliyun),
      tencent: portOf(tencent),
      aliyunOcr: portOf(aliyunOcr),
      tencentOcr: portOf(tencentOcr),
      pos: portOf(pos),
      phone: portOf(phone),
    }
    return {
      wechat,
      alipay,
      aliyun,
      tencent,
      aliyunOcr,
      tencentOcr,
      pos,
      settings: settingsAt(keys, used),
      own: ownValuesOf(keys),
      ports: used,
      phoneUrl: phoneUrlAt(used),
      setReceiptsUrl(of) {
        aliyun.setReceiptsUrl(of('aliyun'))
        tencent.setReceiptsUrl(of('tencent'))
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One address for all codes: it leads on to the service that made the code. */
function startPhone(
  services: Record<'wechat' | 'alipay' | 'aliyun' | 'tencent', string>,
  identity: string,
  port = 0,
): Promise<RunningSimulator> {
  return startSimulator(
    {
      nameOf: () => null,
      handle: () => json({}),
      errorOf: (code, message) => json({ code, message }, 400),
      control(path, { query }) {
        if (path === 'identity') return json({ identity })
        if (path === 'inbox') {
          const inbox = services[query.get('sms') === 'tencent' ? 'tencent' : 'aliyun']
          return { status: 302, headers: { location: `${inbox}/__sim/inbox` } }
        }
        if (path !== 'phone') return null
        const code = query.get('code') ?? ''
        const service = code.startsWith('weixin:') || query.get('pay') === 'wechat' ? 'wechat' : 'alipay'
        const search = code === '' ? '' : `?code=${encodeURIComponent(code)}`
        return { status: 302, headers: { location: `${services[service]}/__sim/phone${search}` } }
      },
    },
    port,
  )
}

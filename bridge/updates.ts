// A new program from the desk's own office: asked for, fetched and checked. Nothing is believed but what the office's key has signed, and
// nothing but the newer version for this very system is taken.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { PACKS_PATH, type PackSystem } from '#kit/print/bridge/packs.ts'
import { compareVersions, UpdateManifest } from '#kit/print/bridge/updates.ts'

/** Why an update is not taken, as the program's own page says it. */
export const UPDATE_REFUSALS = {
  plain: '后台的网址不是 https，不从它更新',
  unreached: '连不上后台',
  moved: '后台把更新转到了别的地址，没有更新',
  answer: '后台回答的更新信息看不懂，没有更新',
  forged: '更新没有本程序后台的签名，没有更新',
  system: '更新是别的系统的，没有更新',
  older: '后台的版本比现在的旧，没有更新',
  cut: '下载的更新与签名不符或不完整，没有更新',
  broken: '新版本在这台电脑上运行不了，没有更新',
  unwritable: '程序所在的文件夹不能写入，没有更新',
  started: '新版本没有启动起来，已换回现在的版本',
} as const
export type UpdateRefusal = keyof typeof UPDATE_REFUSALS

export class Refused extends Error {
  readonly reason: UpdateRefusal
  constructor(reason: UpdateRefusal, cause?: unknown) {
    super(UPDATE_REFUSALS[reason], { cause })
    this.reason = reason
  }
}

/** `key`: the public half of the office's, as the program holds it. */
export type Self = { key: string; system: PackSystem; version: string }
export type Update = { origin: string; manifest: UpdateManifest }

const LIST_MOST = 65_536
const LIST_WITHIN_MS = 20_000
const FILE_WITHIN_MS = 30 * 60_000

const List = z.object({
  updates: z.array(z.object({ system: z.string(), manifest: z.string(), signature: z.string() })).default([]),
})

/** Null: the office has nothing newer. Rejects with `Refused`. */
export async function findUpdate(origin: string, self: Self): Promise<Update | null> {
  const text = await fetched(`${origin}${PACKS_PATH}/packs.json`, { most: LIST_MOST, ms: LIST_WITHIN_MS })
  const { success, data } = List.safeParse(json(text.toString('utf8')))
  if (!success) throw new Refused('answer')
  const offered = data.updates.find(({ system }) => system === self.system)
  if (!offered) return null
  const manifest = believed(offered, self.key)
  if (manifest.system !== self.system) throw new Refused('system')
  const newer = compareVersions(manifest.version, self.version)
  if (newer < 0) throw new Refused('older')
  return newer === 0 ? null : { origin, manifest }
}

/** The program itself. Rejects with `Refused`. */
export async function fetchUpdate({ origin, manifest }: Update): Promise<Buffer> {
  const address = `${origin}${PACKS_PATH}/${manifest.name}`
  const file = await fetched(address, { most: manifest.byteSize, ms: FILE_WITHIN_MS })
  const sha256 = createHash('sha256').update(file).digest('hex')
  if (file.length !== manifest.byteSize || sha256 !== manifest.sha256) throw new Refused('cut')
  return promisify(gunzip)(file).catch(error => {
    throw new Refused('cut', error)
  })
}

/** What was signed is read after its signature, and never before. */
function believed(
  { manifest, signature }: { manifest: string; signature: string },
  key: string,
): UpdateManifest {
  const spki = createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' })
  if (!verify(null, Buffer.from(manifest), spki, Buffer.from(signature, 'base64')))
    throw new Refused('forged')
  const { success, data } = UpdateManifest.safeParse(json(manifest))
  if (!success) throw new Refused('answer')
  return data
}

/** Without TLS from this machine alone; never from where the office sends on to. More than `most` bytes are not read. */
async function fetched(address: string, { most, ms }: { most: number; ms: number }): Promise<Buffer> {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !['127.0.0.1', 'localhost'].includes(hostname)) throw new Refused('plain')
  const parts: Buffer[] = []
  let length = 0
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ms) })
    if (answer.status >= 300 && answer.status < 400) throw new Refused('moved')
    if (!answer.ok || !answer.body) throw new Error(String(answer.status))
    for await (const part of answer.body) {
      length += part.length
      if (length > most) throw new Refused('cut')
      parts.push(Buffer.from(part))
    }
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('unreached', (error as Error).cause ?? error)
  }
  return Buffer.concat(parts)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

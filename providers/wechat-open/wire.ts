// The message format of WeChat's open platform: AES-256-CBC of 16 random bytes, the length, the text and the receiver's appid; SHA-1 over
// what is sorted; and XML as far as the platform uses it. Pure. [D] The published vector is in wire.test.ts.
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { CallbackRejected } from '#kit/ports/providers.ts'

export type MessageKeys = { token: string; encodingAesKey: string; appid: string }

const BLOCK = 32
const BEFORE_TEXT = 20

/** The 32 bytes of the 43 characters; null where they are none. */
export function aesKeyOf(encodingAesKey: string): Buffer | null {
  if (!/^[A-Za-z\d+/]{43}$/.test(encodingAesKey)) return null
  return Buffer.from(`${encodingAesKey}=`, 'base64')
}

export function signatureOf(...parts: readonly string[]): string {
  return createHash('sha1')
    .update([...parts].sort().join(''))
    .digest('hex')
}

export function isSigned(given: string | undefined, ...parts: readonly string[]): boolean {
  const [expected, actual] = [Buffer.from(signatureOf(...parts)), Buffer.from(given ?? '')]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** The text of a message for us. Throws CallbackRejected (content) for one that is for somebody else, or broken: the same words for all. */
export function decryptMessage(keys: Pick<MessageKeys, 'encodingAesKey' | 'appid'>, sealed: string): string {
  const wrong = () => new CallbackRejected('a message that cannot be read, or is for somebody else')
  const key = aesKeyOf(keys.encodingAesKey)
  const bytes = Buffer.from(sealed, 'base64')
  if (!key || bytes.length === 0 || bytes.length % 16 !== 0) throw wrong()
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(bytes), decipher.final()])
  const padding = padded.at(-1) ?? 0
  if (padding < 1 || padding > BLOCK || padding > padded.length - BEFORE_TEXT) throw wrong()
  if (!padded.subarray(-padding).every(byte => byte === padding)) throw wrong()
  const plain = padded.subarray(0, -padding)
  const length = plain.readUInt32BE(16)
  if (length > plain.length - BEFORE_TEXT) throw wrong()
  const text = plain.subarray(BEFORE_TEXT, BEFORE_TEXT + length)
  const appid = plain.subarray(BEFORE_TEXT + length)
  const ours = Buffer.from(keys.appid)
  if (appid.length !== ours.length || !timingSafeEqual(appid, ours)) throw wrong()
  return text.toString('utf8')
}

/** Elements of an element by name; one that comes again is a list. */
export type XmlTree = { [name: string]: XmlTree | string | (XmlTree | string)[] }

const DEPTH_MOST = 6
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * What is inside `<xml>`. Throws CallbackRejected for what is not well formed, and for declarations, attributes, instructions and own entities,
 * of which the platform sends none.
 */
export function readXml(text: string): XmlTree {
  const wrong = () => new CallbackRejected('what came is not the XML that is agreed')
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  const content = (name: string, depth: number): XmlTree | string => {
    if (depth > DEPTH_MOST) throw wrong()
    const tree: XmlTree = Object.create(null)
    let [words, hasElements, hasText] = ['', false, false]
    for (;;) {
      const data = take(/<!\[CDATA\[([\s\S]*?)\]\]>/y)
      if (data) {
        words += data[1] ?? ''
        hasText = true
        continue
      }
      const close = take(/<\/([A-Za-z_][\w.-]*)\s*>/y)
      if (close) {
        if (close[1] !== name || (hasElements && hasText)) throw wrong()
        return hasElements ? tree : words
      }
      const open = take(/<([A-Za-z_][\w.-]*)\s*(\/?)>/y)
      if (open) {
        const [, child = '', isEmpty] = open
        const value = isEmpty ? '' : content(child, depth + 1)
        const before = tree[child]
        tree[child] = before === undefined ? value : [before, value].flat()
        hasElements = true
        continue
      }
      const plain = take(/[^<]+/y)?.[0]
      if (plain === undefined) throw wrong()
      if (plain.trim() === '') continue
      words += plain.replace(/&(#\d{1,7}|#x[\da-fA-F]{1,6}|\w+);|&/g, (_, entity?: string) => {
        const known = entity === undefined ? undefined : (ENTITIES[entity] ?? characterOf(entity))
        if (known === undefined) throw wrong()
        return known
      })
      hasText = true
    }
  }
  take(/\s*(<\?xml[^?<>]*\?>\s*)?/y)
  const root = take(/<([A-Za-z_][\w.-]*)\s*>/y)
  if (root?.[1] !== 'xml') throw wrong()
  const tree = content('xml', 0)
  take(/\s*/y)
  if (at !== text.length || typeof tree === 'string') throw wrong()
  return tree
}

function characterOf(entity: string): string | undefined {
  if (!entity.startsWith('#')) return undefined
  const point = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
  return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : undefined
}

/** The text of an element; empty where it is not there, or holds elements. */
export function textIn(tree: XmlTree, name: string): string {
  const value = tree[name]
  return typeof value === 'string' ? value : ''
}

export function treeIn(tree: XmlTree, name: string): XmlTree {
  const value = tree[name]
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}

// What the simulated platform sends: encrypted and signed by code of its own, and brought to the third party until it says success, or three
// times. Faults by the name of the event: callback-drop, -duplicate, -delay, -reorder, wrong-signature.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import type { Control } from '../simulator.ts'

export type MessageSecrets = { appid: string; token: string; encodingAesKey: string }
type Fields = { [name: string]: string | number | Fields }

const TRIES = 3
const BETWEEN_MS = 5_000
const ANSWERED_WITHIN_MS = 5_000

export function xmlOf(fields: Fields): string {
  const inside = (members: Fields): string =>
    Object.entries(members)
      .map(([name, value]) => {
        if (typeof value === 'object') return `<${name}>${inside(value)}</${name}>`
        return `<${name}>${typeof value === 'number' ? value : `<![CDATA[${value}]]>`}</${name}>`
      })
      .join('\n')
  return `<xml>${inside(fields)}</xml>`
}

export function sealed({ appid, encodingAesKey }: MessageSecrets, text: string): string {
  const key = Buffer.from(`${encodingAesKey}=`, 'base64')
  const body = Buffer.from(text, 'utf8')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length)
  const plain = Buffer.concat([randomBytes(16), size, body, Buffer.from(appid)])
  const missing = 32 - (plain.length % 32)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16))
  cipher.setAutoPadding(false)
  return Buffer.concat([
    cipher.update(Buffer.concat([plain, Buffer.alloc(missing, missing)])),
    cipher.final(),
  ]).toString('base64')
}

/** The query and body of a message as they are sent. */
export function messageOf(secrets: MessageSecrets, text: string, to: string, now: number) {
  const encrypt = sealed(secrets, text)
  const timestamp = String(Math.floor(now / 1_000))
  const nonce = String(randomBytes(4).readUInt32BE())
  const signed = [secrets.token, timestamp, nonce, encrypt].sort()
  const query = {
    ...{ timestamp, nonce, encrypt_type: 'aes' },
    msg_signature: createHash('sha1').update(signed.join('')).digest('hex'),
  }
  const head: Fields = to === '' ? { AppId: secrets.appid } : { ToUserName: to }
  return { query, body: xmlOf({ ...head, Encrypt: encrypt }) }
}

export type Posts = {
  /** `to`: null for the third party's own address, else the mini program. */
  push(name: string, to: { appid: string; userName: string } | null, fields: Fields): void
  /** All that was sent has been brought, or was given up. */
  settled(): Promise<void>
  setUrls(urls: { platform: string; program: (appid: string) => string }): void
  sent: { name: string; appid: string | null; text: string }[]
  stop(): void
}

export function makePosts(secrets: MessageSecrets, control: () => Control, scale: number): Posts {
  let urls: { platform: string; program: (appid: string) => string } | null = null
  let stopped = false
  const underWay = new Set<Promise<void>>()
  const held: (() => void)[] = []
  const sent: Posts['sent'] = []
  const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms).unref())

  async function bring(url: string, text: string, to: string, isForged: boolean): Promise<void> {
    for (let tries = 1; tries <= TRIES && !stopped; tries++) {
      const { query, body } = messageOf(secrets, text, to, control().now().getTime())
      if (isForged) query.msg_signature = '0'.repeat(40)
      try {
        const answer = await fetch(`${url}?${new URLSearchParams(query)}`, {
          method: 'POST',
          headers: { 'content-type': 'text/xml' },
          body,
          signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
        })
        if ((await answer.text()) === 'success') return
      } catch (error) {
        // Nobody is there, or does not answer: as the real service, it comes again.
        if (!(error instanceof Error)) throw error
      }
      if (tries < TRIES) await wait(BETWEEN_MS * scale)
    }
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  return {
    sent,
    push(name, to, fields) {
      const text = xmlOf(fields)
      sent.push({ name, appid: to?.appid ?? null, text })
      if (sent.length > 1_000) sent.shift()
      if (urls === null || stopped) return
      const url = to ? urls.program(to.appid) : urls.platform
      const plane = control()
      if (plane.take('callback-drop', name)) return
      const isForged = plane.take('wrong-signature', name) !== null
      const start = () => track(bring(url, text, to?.userName ?? '', isForged))
      if (plane.take('callback-reorder', name)) {
        held.push(start)
        return
      }
      const delay = plane.take('callback-delay', name)
      if (delay) track(wait(delay.ms).then(() => bring(url, text, to?.userName ?? '', isForged)))
      else start()
      if (plane.take('callback-duplicate', name)) start()
      for (const late of held.splice(0)) late()
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    setUrls(given) {
      urls = given
    },
    stop() {
      stopped = true
    },
  }
}

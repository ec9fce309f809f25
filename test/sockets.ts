// A page's socket without a browser: it connects with a session's cookie and keeps what it hears.
import { get } from 'node:http'
import type { Duplex } from 'node:stream'
import { io, type Socket } from 'socket.io-client'
import { CONFIRM_EVENT, NOTICE_EVENT, type NoticeMessage } from '#features/office/notices/rules.ts'
import { REALTIME_PATH } from '#server/realtime/realtime.ts'
import { afterPatience, patient } from './patience.ts'

export type Page = {
  socket: Socket
  /** Each notice once, as a page shows them. */
  heard: NoticeMessage[]
  /** The trace ids as they came, again and again. */
  deliveries: string[]
  /** Waits until so many notices came. */
  hears(count: number): Promise<NoticeMessage[]>
  /** Waits until something came so many times. */
  isBrought(times: number): Promise<void>
  /** Waits until the server cut it off, and says how. */
  cutOff(): Promise<string>
  confirm(traceId: string): Promise<unknown>
  close(): void
}

const WITHIN_MS = 10_000

export type PageOptions = { url: string; cookie?: string; origin?: string | null; confirms?: boolean }

/** Connects, or rejects with what the server refused it with. */
export async function openPage(options: PageOptions): Promise<Page> {
  const { url, cookie, origin = url, confirms = false } = options
  const socket = io(url, {
    path: REALTIME_PATH,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { ...(cookie ? { cookie } : {}), ...(origin ? { origin } : {}) },
  })
  const heard: NoticeMessage[] = []
  const deliveries: string[] = []
  const waiting = new Set<() => void>()
  const cut = new Promise<string>(resolve => socket.once('disconnect', resolve))
  const confirm = (traceId: string) =>
    socket.timeout(patient(WITHIN_MS)).emitWithAck(CONFIRM_EVENT, traceId, true)
  socket.on(NOTICE_EVENT, (message: NoticeMessage) => {
    if (!deliveries.includes(message.traceId)) heard.push(message)
    deliveries.push(message.traceId)
    for (const look of waiting) look()
    if (confirms) socket.emit(CONFIRM_EVENT, message.traceId, true)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', error => {
      socket.close()
      reject(error)
    })
  })
  const until = (what: string, isSo: () => boolean) =>
    within(
      what,
      new Promise<void>(resolve => {
        const look = () => {
          if (!isSo()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    )
  return {
    socket,
    heard,
    deliveries,
    async hears(count) {
      await until(`${count} notices`, () => heard.length >= count)
      return heard
    },
    isBrought: times => until(`${times} deliveries`, () => deliveries.length >= times),
    cutOff: () => within('a cut', cut),
    confirm,
    close: () => void socket.close(),
  }
}

/** A bare WebSocket that never says anything; null when it is not let in. */
export function openWire(options: { url: string; cookie?: string; query?: string }): Promise<Duplex | null> {
  const { url, cookie, query = '' } = options
  return new Promise(resolve => {
    const request = get(`${url}${REALTIME_PATH}/?EIO=4&transport=websocket${query}`, {
      agent: false,
      headers: {
        ...(cookie ? { cookie } : {}),
        origin: url,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    })
    request.on('upgrade', (_answer, wire) => {
      wire.on('error', () => undefined).resume()
      resolve(wire)
    })
    request.on('response', answer => {
      answer.resume()
      resolve(null)
    })
    request.on('error', () => resolve(null))
  })
}

function within<T>(what: string, wanted: Promise<T>): Promise<T> {
  let callOff: () => void = () => undefined
  const late = new Promise<never>((_resolve, reject) => {
    callOff = afterPatience(WITHIN_MS, () => reject(new Error(`waited too long for ${what}`)))
  })
  return Promise.race([wanted, late]).finally(() => callOff())
}

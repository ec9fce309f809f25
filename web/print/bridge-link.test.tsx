// How the page finds the program of its desk, by connections that a test opens and closes.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect, linkStore } from './bridge-link.ts'

class Connection {
  static readonly OPEN = 1
  static made: Connection[] = []
  readyState = 0
  readonly said: string[] = []
  readonly path: string
  onopen?: () => void
  onclose?: (event: { code: number }) => void
  constructor(address: string) {
    this.path = new URL(address).pathname
    Connection.made.push(this)
  }
  send(text: string): void {
    this.said.push(text)
  }
  close(): void {
    this.end(1000)
  }
  open(): void {
    this.readyState = Connection.OPEN
    this.onopen?.()
  }
  end(code: number): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
}

beforeEach(() => {
  Connection.made = []
  vi.stubGlobal('WebSocket', Connection)
  vi.stubGlobal('isSecureContext', true)
  localStorage.setItem('bridgeToken', 'known')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** The newest connection, once the page has made so many. */
async function made(count: number): Promise<Connection> {
  await vi.waitFor(() => expect(Connection.made).toHaveLength(count))
  return Connection.made[count - 1] as Connection
}

/** Nobody answers; then somebody does where a page may ask, and the page tries once more whether it is known. */
async function untilAsked(before: number): Promise<Connection> {
  ;(await made(before + 1)).end(1006)
  const asked = await made(before + 2)
  expect(asked.path).toBe('/pair')
  asked.open()
  const again = await made(before + 3)
  expect(again.path).toBe('/')
  return again
}

test('a program that turns this office away can be asked alone; one that began between two tries is greeted', async () => {
  const leave = linkStore.subscribe(() => undefined)
  ;(await untilAsked(0)).end(1006)
  expect(linkStore.read()).toMatchObject({ state: 'unpaired', asksOnly: true })
  connect()
  const greeted = await untilAsked(3)
  greeted.open()
  expect(greeted.said.map(text => JSON.parse(text))).toEqual([{ type: 'hello', token: 'known' }])
  expect(linkStore.read().state).not.toBe('unpaired')
  leave()
  await vi.waitFor(() => expect(greeted.readyState).toBe(3), { timeout: 10_000 })
})

// What tests of both SMS services share: numbers, batches, faults of the simulated service and what it shows.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import {
  ProviderRefused,
  type SmsBatch,
  type SmsReceipt,
  type SmsSender,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import type { Effect, RunningSimulator } from '#providers/simulator.ts'
import { ANSWERED_WITHIN_MS } from './patience.ts'

export const SURROUNDINGS: Surroundings = {
  fetch,
  now: () => new Date(),
  nonce: () => randomUUID().replaceAll('-', ''),
  timeoutMs: ANSWERED_WITHIN_MS,
}

let lastPhone = 13_800_010_009
/** A number that carriers deliver to, or one with the outcome that its last four digits have. */
export function nextPhone(suffix?: string): string {
  lastPhone += 10_000
  const phone = String(lastPhone)
  return suffix ? phone.slice(0, 7) + suffix : phone
}

export const today = () => formatDay(new Date())

/** For assert.rejects: refused with this code and a number to ask support about. */
export function refusedWith(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ProviderRefused, String(error))
    assert.equal(error.code, code)
    assert.match(error.reference, /^[0-9A-Fa-f-]{36}$/)
    return true
  }
}

/** `common`: what a batch has unless a test changes it. The service is asked for when it runs. */
export function smsScene(
  service: () => RunningSimulator,
  common: Pick<SmsBatch, 'signature' | 'template' | 'params'>,
) {
  return {
    batchOf: (phones: readonly string[], changed: Partial<SmsBatch> = {}): SmsBatch => ({
      ...common,
      messages: phones.map(phone => ({ reference: `m-${phone}`, phone })),
      batchReference: `b-${randomUUID()}`,
      ...changed,
    }),
    fault: (effect: Effect, match = 'SendSms') => service().control.faults.push({ match, times: 1, effect }),
    /** What phones whose number holds this got, newest first. */
    inbox: async (phone: string) => {
      const answer = await fetch(`${service().url}/__sim/inbox.json?phone=${phone}`)
      return ((await answer.json()) as { messages: { text: string; segments: number }[] }).messages
    },
    post: (path: string, body: unknown) =>
      fetch(`${service().url}/__sim/${path}`, { method: 'POST', body: JSON.stringify(body) }),
  }
}

/**
 * An address that keeps receipts as `sender` reads them; its first answers are `refusals`. `listen` is told the address,
 * and null when the test is over.
 */
export async function keepReceipts(
  t: TestContext,
  sender: SmsSender,
  listen: (url: string | null) => void,
  refusals: readonly { status: number; body: string }[] = [],
) {
  const receipts: SmsReceipt[] = []
  const pushes: { url: string; count: number }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const read = sender.readReceipts(Buffer.concat(chunks))
    pushes.push({ url: request.url ?? '', count: read.length })
    const refusal = refusals[pushes.length - 1]
    if (!refusal) receipts.push(...read)
    const { status, body } = refusal ?? sender.receiptsKept
    response.writeHead(status, { 'content-type': sender.receiptsKept.type }).end(body)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  listen(`http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`)
  t.after(() => {
    listen(null)
    server.closeAllConnections()
    return new Promise(done => server.close(done))
  })
  return { receipts, pushes }
}

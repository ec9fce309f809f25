// The program under measurement with the SMS client of the product: sends a number of batches bare, or what is in the outbox.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { NO_PROVIDERS, SURROUNDINGS } from '#app/providers.ts'
import { createApp } from '#app/server.ts'
import { SMS_TEMPLATES } from '#features/shops/messages/reference.ts'
import { sendQueued } from '#features/shops/messages/server-sending.ts'
import { type AliyunSmsSettings, makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import { readEnv } from '#server/env.ts'

export type SendingOrder =
  /** Without the database: so many messages in calls of `perCall`, eight at once; one text for all, or one for each. */
  | { kind: 'bare'; messages: number; perCall: number; ownTexts: boolean }
  /** What is due, until nothing is. */
  | { kind: 'outbox' }
/** `live`: what is left of the heap and of the buffers beside it when all that can be collected was collected. */
export type SendingResult = { ms: number; residentMiB: number[]; liveBeforeMiB: number; liveMiB: number }

const CALLS_AT_ONCE = 8
const SAMPLE_MS = 100
const TEMPLATE = SMS_TEMPLATES.find(({ key }) => key === 'maintenance') as (typeof SMS_TEMPLATES)[number]

const signature = process.env.BENCH_SIGNATURE as string
const sms = makeAliyunSms(JSON.parse(process.env.BENCH_SMS as string) as AliyunSmsSettings, SURROUNDINGS)
const env = readEnv(process.env)
const app = await createApp({
  env,
  ownerUrl: env.databaseUrl as string,
  secretKey: env.secretKey as string,
  migrationsDir: join(process.cwd(), 'migrations'),
  exports: false,
  jobs: false,
  loops: false,
  providers: { ...NO_PROVIDERS, sms, smsSignature: signature, receiptSecret: 'bench' },
})
await app.http.listen({ port: 0, host: '127.0.0.1' })

async function sendBare(messages: number, perCall: number, ownTexts: boolean): Promise<void> {
  const paramsOf = (n: number) => [
    { name: 'shop', value: `店${n}` },
    { name: 'time', value: '今晚23点' },
  ]
  let next = 0
  const caller = async () => {
    while (next < messages) {
      const first = next
      next += perCall
      const count = Math.min(perCall, messages - first)
      await sms.send({
        signature,
        template: TEMPLATE.aliyunCode,
        params: ownTexts ? [] : paramsOf(first),
        messages: Array.from({ length: count }, (_, i) => ({
          reference: String(first + i),
          phone: String(13_500_000_000 + (first + i) * 10 + 4),
          ...(ownTexts && { params: paramsOf(first + i) }),
        })),
        batchReference: `bare${first}`,
      })
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller))
}

/** Twice, since what the first run frees may hold more. */
function liveMiB(): number {
  for (let turn = 0; turn < 2; turn++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_048_576
}

async function timed(work: () => Promise<void>): Promise<SendingResult> {
  const residentMiB: number[] = []
  const liveBeforeMiB = liveMiB()
  const sampling = setInterval(() => residentMiB.push(process.memoryUsage.rss() / 1_048_576), SAMPLE_MS)
  const startedMs = performance.now()
  await work()
  const ms = performance.now() - startedMs
  clearInterval(sampling)
  return { ms, residentMiB, liveBeforeMiB, liveMiB: liveMiB() }
}

process.on('message', (order: SendingOrder) => {
  timed(async () => {
    if (order.kind === 'bare') await sendBare(order.messages, order.perCall, order.ownTexts)
    else while (await sendQueued(app.services));
  }).then(
    result => process.send?.(result),
    error => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
const stop = () => void app.stop().then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('disconnect', stop)
process.send?.({ port: (app.http.server.address() as AddressInfo).port })

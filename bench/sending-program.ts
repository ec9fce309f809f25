// The program under measurement with the SMS client of the product: sends a number of batches bare, or what is in the outbox.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { NO_PROVIDERS, SURROUNDINGS } from '#app/providers.ts'
import { createApp } from '#app/server.ts'
import { SMS_TEMPLATES } from '#features/messages/reference.ts'
import { sendQueued } from '#features/messages/server-sending.ts'
import { type AliyunSmsSettings, makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import { readEnv } from '#server/env.ts'

export type SendingOrder =
  /** Without the database: so many messages in calls of `perCall`, eight at once. */
  | { kind: 'bare'; messages: number; perCall: number }
  /** What is due, until nothing is. */
  | { kind: 'outbox' }
export type SendingResult = { ms: number; residentMiB: number[] }

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

async function sendBare(messages: number, perCall: number): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < messages) {
      const first = next
      next += perCall
      const count = Math.min(perCall, messages - first)
      await sms.send({
        signature,
        template: TEMPLATE.aliyunCode,
        params: [
          { name: 'shop', value: `店${first}` },
          { name: 'time', value: '今晚23点' },
        ],
        messages: Array.from({ length: count }, (_, i) => ({
          reference: String(first + i),
          phone: String(13_500_000_000 + (first + i) * 10 + 4),
        })),
        batchReference: `bare${first}`,
      })
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller))
}

async function timed(work: () => Promise<void>): Promise<SendingResult> {
  const residentMiB: number[] = []
  const sampling = setInterval(() => residentMiB.push(process.memoryUsage.rss() / 1_048_576), SAMPLE_MS)
  const startedMs = performance.now()
  await work()
  clearInterval(sampling)
  return { ms: performance.now() - startedMs, residentMiB }
}

process.on('message', (order: SendingOrder) => {
  timed(async () => {
    if (order.kind === 'bare') await sendBare(order.messages, order.perCall)
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

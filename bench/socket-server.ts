// The program under measurement with its sockets: background work on, a port of its own, and notices told when asked.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createApp } from '#app/server.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { readEnv } from '#server/env.ts'
import { actAsSystem } from '#server/system.ts'

export type TellOrder = { accountIds: number[]; title: string }
/** What lives on the heap, once what is dead is swept away. */
export type HeapOrder = { kind: 'heap' }

const env = readEnv(process.env)
const app = await createApp({
  env,
  ownerUrl: env.databaseUrl as string,
  secretKey: env.secretKey as string,
  migrationsDir: join(process.cwd(), 'migrations'),
  exports: false,
})
await app.http.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.http.server.address() as AddressInfo
process.on('message', (order: TellOrder | HeapOrder) => {
  if ('kind' in order) {
    globalThis.gc?.()
    process.send?.({ heapBytes: process.memoryUsage().heapUsed })
    return
  }
  const { accountIds, title } = order
  actAsSystem(app.services, 'bench', ctx =>
    notify(ctx, {
      accountIds,
      title,
      topic: 'PaymentStatus_Notify',
      body: '短信充值 200 条已到账',
      args: {},
    }),
  ).then(
    told => process.send?.({ told }),
    error => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
const stop = () => void app.stop().then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('disconnect', stop)
process.send?.({ port })

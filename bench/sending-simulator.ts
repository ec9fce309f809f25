// The simulated SMS service in a process of its own, so that its work and memory are not the program's.
import { SMS_TEMPLATES } from '#features/shops/messages/reference.ts'
import {
  aliyunSmsSettings,
  makeAliyunSmsKeys,
  startAliyunSmsSimulator,
} from '#providers/aliyun-sms/simulator.ts'

const keys = makeAliyunSmsKeys()
const service = await startAliyunSmsSimulator({
  keys,
  registry: {
    signatures: [process.env.BENCH_SIGNATURE as string],
    templates: SMS_TEMPLATES.map(({ aliyunCode: code, text }) => ({ code, text })),
  },
  limits: false,
  carrierMs: 50,
})
process.on('message', (order: { receiptsUrl: string | null }) => {
  service.setReceiptsUrl(order.receiptsUrl)
  process.send?.(service.counts())
})
const stop = () => void service.stop().then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('disconnect', stop)
process.send?.(aliyunSmsSettings(keys, service.url))

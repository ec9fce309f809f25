// An SMS service that an office is connected to, and that never answers: of a message only what is written down is looked at.
import { ProviderUnknown, type SmsSender } from '#kit/ports/providers.ts'
import type { Office } from './app.ts'

const silent = () => Promise.reject(new ProviderUnknown('nobody asks this service'))

export const SILENT_SMS: SmsSender = {
  ...{
    name: 'aliyun',
    batchMax: 1,
    ownParamsMax: 0,
    send: silent,
    mayBlameOne: () => false,
    details: silent,
  },
  readReceipts: () => [],
  receiptsKept: { status: 200, type: 'text/plain', body: '' },
}

/** From now on the office may send. */
export function connectSms({ app: { services } }: Pick<Office, 'app'>): void {
  services.providers = { ...services.providers, sms: SILENT_SMS }
}

import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { threads } from './contract.ts'

export const threadsApi = api<typeof threads>('threads')

export type ThreadRow = Out<typeof threads.list>['rows'][number]
export type ShownThread = Out<typeof threads.details>['thread']
export type ShownMessage = Out<typeof threads.details>['messages'][number]

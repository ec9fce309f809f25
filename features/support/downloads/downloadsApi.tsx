import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { downloads } from './contract.ts'

export const downloadsApi = api<typeof downloads>('downloads')

export type ShownFile = Out<typeof downloads.shown>['rows'][number]
export type FileRow = Out<typeof downloads.list>['rows'][number]

export const fileAddress = (id: number) => `/api/downloads/files/${id}/file`

import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { verification } from './contract.ts'

export const verificationApi = api<typeof verification>('verification')

export type VerificationData = Out<typeof verification.ofShop>
export type PaperData = VerificationData['papers'][number]
export type Reading = Out<typeof verification.read>
export type ReviewRow = Out<typeof verification.reviews>['rows'][number]

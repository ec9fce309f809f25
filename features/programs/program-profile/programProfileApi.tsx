import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { programProfile } from './contract.ts'

export const programProfileApi = api<typeof programProfile>('programProfile')

export type ProfileData = Out<typeof programProfile.details>
export type PartData = ProfileData['parts'][number]
export type ChangeData = ProfileData['history'][number]

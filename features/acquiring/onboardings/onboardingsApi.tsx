import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { onboardings } from './contract.ts'

export const onboardingsApi = api<typeof onboardings>('onboardings')

export type OnboardingData = Out<typeof onboardings.ofApplication>

import type { Job } from '#server/jobs.ts'
import { recountUses } from './server-forecast.ts'

export const jobs: readonly Job[] = [{ name: 'recount-sms-uses', cron: '3 * * * *', run: recountUses }]

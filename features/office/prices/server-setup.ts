// Whether prices and levels were looked through.

import { formatInstant } from '#kit/time.ts'
import type { SetupStep } from '#server/ctx.ts'
import { lastReview } from './server-reviews.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'prices.review',
    label: '价格与等级折扣',
    for: 'operator',
    permission: 'priceDesk.setPrice',
    order: 30,
    path: '/admin/operations/prices',
    async read(ctx) {
      const last = await lastReview(ctx)
      if (last)
        return {
          state: 'done',
          words: `${last.reviewedByName} 于 ${formatInstant(new Date(last.reviewedAt)).slice(0, 10)} 核对`,
        }
      return {
        state: 'open',
        words: '现在都是示例价格，合作伙伴看到时标着「示例」。改成自己的，再点「确认价格」。',
      }
    },
  },
]

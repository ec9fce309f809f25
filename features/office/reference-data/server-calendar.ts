// Business days as the operator keeps their calendar.
import { and, gte, lte } from 'drizzle-orm'
import { businessDaysAfter, type Calendar, isBusinessDay } from '#kit/business-days.ts'
import { addDays } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { businessDays } from './tables.ts'

async function calendarOf(ctx: Ctx, from: string, to: string): Promise<Calendar> {
  const rows = await ctx.db
    .select({ day: businessDays.day, kind: businessDays.kind })
    .from(businessDays)
    .where(and(gte(businessDays.day, from), lte(businessDays.day, to)))
  return new Map(rows.map(({ day, kind }) => [day, kind]))
}

export async function isWorkedOn(ctx: Ctx, day: string): Promise<boolean> {
  return isBusinessDay(day, await calendarOf(ctx, day, day))
}

/** The day with which a promise of so many business days ends that is given on `day`. */
export async function dueAfter(ctx: Ctx, day: string, days: number): Promise<string> {
  return businessDaysAfter(day, days, await calendarOf(ctx, day, addDays(day, 366)))
}

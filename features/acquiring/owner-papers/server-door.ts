// Who is let in at a link of an owner: whoever knows the address sees whose shop it is, a phone that has proven itself what was entered.
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { triesOf } from '#features/office/captcha/server-tries.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Actor, Ctx } from '#server/ctx.ts'
import { Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { inTheNameOf, systemOf } from '#server/system.ts'
import { GUEST_REFUSALS, NETWORK_LIMITS, SESSION_HOURS, takes } from './rules.ts'
import { ownerSessions as sessions, ownerPapers as table } from './tables.ts'

export type OwnerPapers = typeof table.$inferSelect
export type Opened = { row: OwnerPapers; shopName: string; agentName: string }

/** 192 bits: nobody finds a link by trying. */
const CODE_BYTES = 24
const TOKEN_BYTES = 32

export const newCode = () => randomBytes(CODE_BYTES).toString('base64url')
export const sha256Of = (what: string | Buffer) => createHash('sha256').update(what).digest('hex')

export function codeHash(ctx: Pick<Ctx, 'services'>, code: string): Buffer {
  return ctx.services.secrets.digest(`owner link ${code}`)
}

const sessionHash = (ctx: Ctx, token: string) => ctx.services.secrets.digest(`owner session ${token}`)

/** NOT_FOUND for a link that is nobody's, was called off or replaced; THROTTLED for a network that has tried many. */
export async function openedBy(ctx: Ctx, code: string): Promise<Opened> {
  const tries = triesOf(ctx, 'owner links', NETWORK_LIMITS.minutes)
  if (tries.count >= NETWORK_LIMITS.unknown) refuseCommon('THROTTLED')
  const [one] = await ctx.db
    .select({
      row: table,
      shopName: merchants.shopName,
      status: merchants.status,
      agentName: agents.companyName,
      isEnabled: agents.enabled,
    })
    .from(table)
    .innerJoin(merchants, and(eq(merchants.id, table.merchantId), eq(merchants.agentId, table.agentId)))
    .innerJoin(agents, eq(agents.id, table.agentId))
    .where(and(eq(table.tokenHash, codeHash(ctx, code)), isNull(table.endedAt)))
  if (!one) {
    tries.count += 1
    refuseCommon('NOT_FOUND')
  }
  const { status, isEnabled, ...opened } = one
  refuse(!isEnabled || status === 'disabled' ? 'PAGE_CLOSED' : null, GUEST_REFUSALS)
  refuse(Date.parse(opened.row.expiresAt) <= ctx.now.getTime() ? 'LINK_EXPIRED' : null, GUEST_REFUSALS)
  return opened
}

/** Whether this phone has proven itself at this very link. */
export async function isInside(ctx: Ctx, { row }: Opened): Promise<boolean> {
  const guestToken = ctx.request.guestToken('owner')
  if (guestToken === undefined) return false
  const found = await ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.tokenHash, sessionHash(ctx, guestToken)),
        eq(sessions.ownerPapersId, row.id),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
  return found.length > 0
}

/** What was entered, for a phone that has proven itself. */
export async function inside(ctx: Ctx, code: string): Promise<Opened> {
  const opened = await openedBy(ctx, code)
  if (!(await isInside(ctx, opened))) throw new Refusal('SIGNED_OUT', GUEST_REFUSALS.SIGNED_OUT)
  return opened
}

/** The same while it may be changed; its shop and itself are locked, in this order everywhere. */
export async function insideLocked(ctx: Ctx, code: string): Promise<Opened> {
  const opened = await inside(ctx, code)
  const { id, merchantId } = opened.row
  await ctx.db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for('update')
  const [row] = await ctx.db
    .select()
    .from(table)
    .where(and(eq(table.id, id), isNull(table.endedAt)))
    .for('update')
  if (!row) refuseCommon('NOT_FOUND')
  return { ...opened, row }
}

export function refuseHandedIn({ row }: Opened): void {
  refuse(takes(row.state, 'submit') ? null : 'HANDED_IN', GUEST_REFUSALS)
}

/** A session for this link alone. */
export async function letIn(ctx: Ctx, { row }: Opened): Promise<{ expiresAt: string }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + SESSION_HOURS * 3_600_000).toISOString()
  await ctx.db.insert(sessions).values({
    tokenHash: sessionHash(ctx, token),
    ownerPapersId: row.id,
    agentId: row.agentId,
    merchantId: row.merchantId,
    createdAt: ctx.now.toISOString(),
    expiresAt,
  })
  ctx.request.setGuest('owner', token)
  return { expiresAt }
}

/** What the owner does, the program does for the shop's agent; it is nobody's own submission. */
export function ownerOf({ row }: Pick<Opened, 'row'>): Actor {
  const name = row.personInCharge === '' ? '店主' : `店主 ${row.personInCharge}`
  return { ...systemOf(row), name }
}

export const asOwner = (ctx: Ctx, opened: Opened): Ctx => inTheNameOf(ctx, ownerOf(opened)).ctx

export const subjectOf = ({ row, shopName }: Opened) => `${shopName} (${row.merchantId})`

export function noteOwner(ctx: Ctx, opened: Opened, changes: Parameters<Ctx['note']>[1]): void {
  ctx.about(opened.row.agentId, opened.row.merchantId)
  ctx.note(subjectOf(opened), changes, ownerOf(opened))
}

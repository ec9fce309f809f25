// Browsers that are known: each keeps a random token signed with the program's key, and the account keeps its keyed hash.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { deviceOf, type Outcome, placeOf } from './rules.ts'
import { signInDevices, signIns } from './tables.ts'

type Owner = { accountId: number; agentId: number }

/** The hash of this browser's token where the account trusts it; null for a stranger's. */
export async function trustedDevice(ctx: Ctx, accountId: number | null): Promise<Buffer | null> {
  const hash = hashOf(ctx, ctx.request.deviceToken)
  if (hash === null) return null
  const [known] = await ctx.db
    .select({ id: signInDevices.id })
    .from(signInDevices)
    .where(
      and(
        eq(signInDevices.accountId, accountId ?? 0),
        eq(signInDevices.deviceHash, hash),
        isNotNull(signInDevices.trustedAt),
      ),
    )
  return known ? hash : null
}

export type Device = { token: string; hash: Buffer }

/** The browser that calls: by the token it was given, or by one that it is to be given. */
export function thisDevice(ctx: Ctx): Device {
  const known = hashOf(ctx, ctx.request.deviceToken)
  if (known !== null) return { token: ctx.request.deviceToken as string, hash: known }
  const token = newToken(ctx)
  return { token, hash: hashOf(ctx, token) as Buffer }
}

/** Remembers that somebody signed in with this browser, gives it its token, and tells the account of one that is new to it. */
export async function rememberDevice(
  ctx: Ctx,
  owner: Owner,
  { token, hash } = thisDevice(ctx),
): Promise<void> {
  const now = ctx.now.toISOString()
  const device = deviceOf(ctx.request.userAgent)
  const others = await ctx.db
    .select({ deviceHash: signInDevices.deviceHash })
    .from(signInDevices)
    .where(eq(signInDevices.accountId, owner.accountId))
  await ctx.db
    .insert(signInDevices)
    .values({ ...owner, deviceHash: hash, device, trustedAt: now, createdAt: now, lastUsedAt: now })
    .onConflictDoUpdate({
      target: [signInDevices.accountId, signInDevices.deviceHash],
      set: { device, trustedAt: now, lastUsedAt: now },
    })
  ctx.request.setDevice(token)
  const isNew = others.length > 0 && !others.some(other => other.deviceHash.equals(hash))
  if (isNew) await tellOfDevice(ctx, owner, device)
}

async function tellOfDevice(ctx: Ctx, { accountId }: Owner, device: string): Promise<void> {
  const { ip } = ctx.request
  await notify(ctx, {
    accountIds: [accountId],
    topic: 'SignIn_Notify',
    title: '新设备登录',
    body: `${formatInstant(ctx.now)} 在 ${device}（${placeOf(ip)} ${ip}）登录了您的账号。如非本人操作，请立即修改密码并下线该设备。`,
    link: '/admin/account/security',
  })
}

/** A row of the history; without an owner it is that of a name which no account has, and costs as long. */
export async function recordSignIn(ctx: Ctx, owner: Owner | null, outcome: Outcome): Promise<void> {
  await ctx.db.insert(signIns).values({
    accountId: owner?.accountId ?? null,
    agentId: owner?.agentId ?? null,
    outcome,
    ip: ctx.request.ip,
    device: deviceOf(ctx.request.userAgent),
    createdAt: ctx.now.toISOString(),
  })
}

function newToken(ctx: Ctx): string {
  const id = randomBytes(24).toString('base64url')
  return `${id}.${signatureOf(ctx, id)}`
}

/** Null for a token that this program did not sign. */
function hashOf(ctx: Ctx, token: string | undefined): Buffer | null {
  const [, id, signature] = /^([\w-]{32})\.([\w-]{43})$/.exec(token ?? '') ?? []
  if (id === undefined || signature === undefined) return null
  const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(ctx, id)))
  return isOurs ? ctx.services.secrets.digest(`device of an account ${id}`) : null
}

function signatureOf(ctx: Ctx, id: string): string {
  return ctx.services.secrets.digest(`device token ${id}`).toString('base64url')
}

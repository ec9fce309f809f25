// Banks and their branches as the payment service knows them, found by Chinese text or by the first letters of how it is read. What was
// asked is kept for a day: it seldom changes, and the service counts questions.

import type { Divisions } from '#features/office/regions/divisions.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import {
  type Bank,
  type BankBranch,
  type BankDirectory,
  DIRECTORY_PAGE_MAX,
  type DirectoryPage,
  type DirectoryWindow,
  type Place,
  placeNamed,
} from '#kit/ports/onboarding.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { initialsOf } from '#kit/words/pinyin.ts'
import { type Ctx, identityOf, type Services, type Verb } from '#server/ctx.ts'
import { makeCtx } from '#server/serve.ts'
import type { paymentApplications as contract } from './contract.ts'
import type { PayType } from './rules.ts'

/** Rows that one may choose among; more are found by typing on. */
const OFFERED = 50
const KEPT_MS = 24 * 60 * 60 * 1000
/** Lists, of banks times cities. */
const KEPT_MOST = 2_000

type Kept = { until: number; answer: Promise<readonly unknown[]> }
const keptOf = new WeakMap<BankDirectory, Map<string, Kept>>()

export const banks: Verb<typeof contract.banks> = async (ctx, { payType, search }) => ({
  banks: await asked(ctx, async directory => {
    const all = await banksOf(ctx.services, directory, payType)
    return matching(all, search).map(({ name, code, needsBranch }) => ({ name, code, needsBranch }))
  }),
})

export const branches: Verb<typeof contract.branches> = async (ctx, { bankCode, region, search }) => ({
  branches: await asked(ctx, async directory => {
    const city = await cityOf(ctx, directory, region)
    if (!city) return null
    const all = await once<BankBranch>(ctx.services, directory, `branches ${bankCode} ${city.code}`, () =>
      allOf(window => directory.branches(bankCode, city.code, window)),
    )
    return matching(all, search)
  }),
})

/** The bank that was chosen, as the payment service names it where an account is handed in. Null: it knows no such bank. */
export async function bankOf(
  services: Services,
  directory: BankDirectory,
  { payType, bankCode }: { payType: PayType; bankCode: string },
): Promise<Bank | null> {
  const all = await banksOf(services, directory, payType)
  return all.find(({ code }) => code === bankCode) ?? null
}

/** All that an account of this type may be kept at. */
const banksOf = (services: Services, directory: BankDirectory, payType: PayType) =>
  once<Bank>(services, directory, `banks ${payType}`, () => allOf(window => directory.banks(payType, window)))

/** Null where there is no service, or it does not answer: then names are typed, and the vendor hears of it. */
async function asked<T>(ctx: Ctx, ask: (directory: BankDirectory) => Promise<T | null>): Promise<T | null> {
  const directory = ctx.services.providers.onboarding?.directory
  if (!directory) return null
  try {
    return await ask(directory)
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnknown)) throw error
    ctx.services.onProblem(error)
    return null
  }
}

/** The directory's own city for a district; of a municipality it is the province of the table. */
async function cityOf(ctx: Ctx, directory: BankDirectory, region: string): Promise<Place | null> {
  const { services, request, actor } = ctx
  const regions: Divisions = await services.database.read(identityOf(actor, services.walls), lent =>
    regionsOf(makeCtx(lent, { services, request }, actor).ctx),
  )
  const [provinceName, cityName] = [regions.nameOf(region.slice(0, 2)), regions.nameOf(region.slice(0, 4))]
  if (provinceName === null) return null
  const provinces = await once<Place>(ctx.services, directory, 'provinces', () => directory.provinces())
  const province = placeNamed(provinces, provinceName)
  if (!province) return null
  const cities = await once<Place>(ctx.services, directory, `cities ${province.code}`, () =>
    directory.cities(province.code),
  )
  return placeNamed(cities, cityName ?? '') ?? placeNamed(cities, provinceName)
}

/** What failed is not kept. */
function once<Row>(
  { clock }: Pick<Services, 'clock'>,
  directory: BankDirectory,
  key: string,
  ask: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const kept = keptOf.get(directory) ?? new Map<string, Kept>()
  keptOf.set(directory, kept)
  const now = clock.now().getTime()
  const standing = kept.get(key)
  if (standing && standing.until > now) return standing.answer as Promise<readonly Row[]>
  // Codes are sent by whoever asks: what was asked first goes first.
  for (const oldest of kept.keys()) {
    if (kept.size < KEPT_MOST) break
    kept.delete(oldest)
  }
  const answer = ask()
  kept.set(key, { until: now + KEPT_MS, answer })
  answer.catch(() => kept.delete(key))
  return answer
}

async function allOf<Row>(ask: (window: DirectoryWindow) => Promise<DirectoryPage<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await ask({ offset: rows.length, limit: DIRECTORY_PAGE_MAX })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= page.total) return rows
  }
}

/** What holds the typed text stands before what holds its characters in their order: 农行 and nh are 农业银行. */
function matching<Row extends { name: string }>(all: readonly Row[], search: string): Row[] {
  const typed = search.trim().toLowerCase()
  const ranked = all.map(row => ({ row, rank: rankOf(row.name, typed) })).filter(({ rank }) => rank !== null)
  return ranked
    .toSorted((a, b) => Number(a.rank) - Number(b.rank))
    .slice(0, OFFERED)
    .map(({ row }) => row)
}

function rankOf(name: string, typed: string): number | null {
  const texts = [name, initialsOf(asRead(name))]
  if (texts.some(text => text.includes(typed))) return 0
  return texts.some(text => holdsInOrder(text, typed)) ? 1 : null
}

function holdsInOrder(text: string, typed: string): boolean {
  let from = 0
  return [...typed].every(char => {
    const at = text.indexOf(char, from)
    from = at + 1
    return at >= 0
  })
}

/** Characters of two readings, by one that has the reading they have in banks and places: 行 is h, as in 银行. */
const asRead = (name: string) =>
  name
    .replaceAll('行', '航')
    .replaceAll('重庆', '崇庆')
    .replaceAll('厦门', '下门')
    .replace(/长(?=[沙春江安])/g, '常')

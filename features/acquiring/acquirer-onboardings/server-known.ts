// What is known of a shop for an acquirer, gathered from where it stands: the shop, who it is, its payment application, its papers, and what
// was completed. Nothing is copied that another form says; of numbers of people and accounts the masked ones, until they are handed over.
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { onboardings } from '#features/acquiring/onboardings/tables.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { PAPER_SHOWN, readFacts } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { verifications } from '#features/care/verification/tables.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { industries, merchants } from '#features/shops/merchants/tables.ts'
import { ACQUIRER_PAPER_KEYS, type AcquirerPaper } from '#kit/ports/acquirers.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import { files } from '#server/tables.ts'
import { type Known, type Lack, lackingOf, type PayType, unfitOf } from './rules.ts'
import type { acquirerOnboardings } from './tables.ts'

export type AcquirerOnboarding = typeof acquirerOnboardings.$inferSelect
export type Completion = Pick<
  AcquirerOnboarding,
  'shortName' | 'category' | 'contactName' | 'contactPhone' | 'email' | 'rate' | 'accountName'
>

async function readShop(ctx: Ctx, merchantId: number) {
  const [[shop], [identity], [application], [sealed], regions] = await together([
    ctx.db
      .select({
        shopName: merchants.shopName,
        shortName: merchants.shortName,
        shopPhone: merchants.shopPhone,
        districtCode: merchants.districtCode,
        address: merchants.address,
        industry: industries.name,
      })
      .from(merchants)
      .leftJoin(industries, eq(industries.id, merchants.industryId))
      .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId))),
    ctx.db
      .select({
        company: verifications.company,
        creditCode: verifications.creditCode,
        legalPerson: verifications.legalPerson,
        personInCharge: verifications.personInCharge,
        phone: verifications.phone,
        idNumberMasked: verifications.idNumberMasked,
        idFrontId: verifications.idFrontId,
        hasIdNumber: sql<boolean>`${documents.facts} is not null`,
      })
      .from(verifications)
      .leftJoin(documents, eq(documents.id, verifications.idFrontId))
      .where(and(eq(verifications.merchantId, merchantId), ownRows(ctx, verifications.agentId))),
    ctx.db
      .select()
      .from(paymentApplications)
      .where(and(eq(paymentApplications.merchantId, merchantId), ownRows(ctx, paymentApplications.agentId)))
      .orderBy(desc(paymentApplications.id))
      .limit(1),
    ctx.db
      .select({ accountNumber: onboardings.accountNumber, masked: onboardings.accountNumberMasked })
      .from(onboardings)
      .where(
        and(
          eq(onboardings.merchantId, merchantId),
          isNotNull(onboardings.accountNumber),
          ownRows(ctx, onboardings.agentId),
        ),
      )
      .orderBy(desc(onboardings.id))
      .limit(1),
    regionsOf(ctx),
  ])
  return { shop: found(shop), identity, application, sealed, regions }
}

/** What somebody would otherwise type: what stands elsewhere of it. */
export async function begunWith(ctx: Ctx, merchantId: number): Promise<Completion> {
  const { shop, identity, application } = await readShop(ctx, merchantId)
  const isPrivate = application?.payType === 'private'
  return {
    shortName: shop.shortName || shop.shopName,
    category: shop.industry ?? '',
    contactName: identity?.personInCharge || identity?.legalPerson || '',
    contactPhone: application?.phone || identity?.phone || shop.shopPhone,
    email: application?.email ?? '',
    accountName: (isPrivate ? identity?.legalPerson : identity?.company) ?? '',
    rate: '',
  }
}

type Gathered = {
  known: Known
  payType: PayType
  accountNumberMasked: string
  /** Where the shop is; empty: not yet known. */
  district: string
  /** Where the whole numbers lie. */
  sealedAccount: Buffer | null
  idFrontId: number | null
}

export async function gather(ctx: Ctx, row: AcquirerOnboarding): Promise<Gathered> {
  const { shop, identity, application, sealed, regions } = await readShop(ctx, row.merchantId)
  const accountNumberMasked = row.accountNumber ? row.accountNumberMasked : (sealed?.masked ?? '')
  return {
    ...{ accountNumberMasked, sealedAccount: row.accountNumber ?? sealed?.accountNumber ?? null },
    ...{ idFrontId: identity?.idFrontId ?? null, district: shop.districtCode ?? '' },
    payType: application?.payType ?? 'corporate',
    known: {
      ...{ company: identity?.company ?? '', creditCode: identity?.creditCode ?? '' },
      legalPerson: identity?.legalPerson ?? '',
      idNumber: identity?.hasIdNumber ? identity.idNumberMasked || '已录入' : '',
      ...{ shopName: shop.shopName, address: shop.address },
      regionName: regions.regionName(shop.districtCode),
      ...{ shortName: row.shortName, category: row.category, contactName: row.contactName },
      ...{ contactPhone: row.contactPhone, email: row.email, rate: row.rate, accountName: row.accountName },
      accountNumber: accountNumberMasked,
      payType: application?.payType ?? '',
      bankRegionName: application ? regions.regionName(application.bankRegion) : '',
      bankName: application?.bankName ?? '',
      branchName: application?.branchName ?? '',
      branchNumber: application?.branchNumber ?? '',
    },
  }
}

/** With whole numbers, which each reading leaves a row in the log of. */
export async function wholeKnown(ctx: Ctx, { known, sealedAccount, idFrontId }: Gathered): Promise<Known> {
  const facts = idFrontId === null ? null : await readFacts(ctx, idFrontId, 'paymentApplication')
  return {
    ...known,
    idNumber: facts?.idNumber ?? '',
    accountNumber: sealedAccount ? ctx.services.secrets.decrypt(sealedAccount) : '',
  }
}

export const isConnected = ({ services }: Pick<Ctx, 'services'>, { channel }: AcquirerOnboarding): boolean =>
  services.providers.acquirerOnboarding[channel] !== undefined

/** What is wanting, and, where it goes by the acquirer's protocol, what that does not take. */
export const lackingHere = (
  ctx: Pick<Ctx, 'services'>,
  row: AcquirerOnboarding,
  known: Known,
  papers: readonly AcquirerPaper[],
): readonly Lack[] => [
  ...lackingOf(row.channel, known, papers),
  // What is there already was taken, whichever way it went.
  ...(isConnected(ctx, row) && row.state !== 'sent' ? unfitOf(row.channel, known) : []),
]

export type Papers = Readonly<Partial<Record<AcquirerPaper, number>>>

/** Those that were handed in; before that those which the shop has in use, of each kind the latest. */
export async function papersOf(ctx: Ctx, row: AcquirerOnboarding): Promise<Papers> {
  const isOpen = row.approvalState === 'draft' || row.approvalState === 'rejected'
  if (!isOpen) return row.papers
  const rows = await ctx.db
    .select({ id: documents.id, kind: documents.kind })
    .from(documents)
    .where(
      and(
        eq(documents.merchantId, row.merchantId),
        eq(documents.state, 'current'),
        inArray(documents.kind, ACQUIRER_PAPER_KEYS),
        ownRows(ctx, documents.agentId),
      ),
    )
    .orderBy(documents.id)
  return Object.fromEntries(rows.map(({ id, kind }) => [kind, id]))
}

export function shownPapers(ctx: Ctx, papers: Papers) {
  const ids = Object.values(papers)
  return ctx.db
    .select(PAPER_SHOWN)
    .from(documents)
    .leftJoin(files, eq(files.id, documents.fileId))
    .where(and(inArray(documents.id, ids), ownRows(ctx, documents.agentId)))
}

/** As the acquirer's form calls a value of ours. */
export const lineValue = (
  known: Known,
  { source, words }: { source: keyof Known; words?: Readonly<Record<string, string>> },
) => words?.[known[source]] ?? known[source]

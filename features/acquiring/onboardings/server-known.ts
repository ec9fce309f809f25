// What is known of a shop for the payment service, gathered from where it stands: its application, who it is, its papers, and what was
// completed. Of numbers that lie sealed each reading leaves a row in the log.
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Application } from '#features/acquiring/payment-applications/server-rows.ts'
import { readFacts } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { verifications } from '#features/care/verification/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { OnboardingDesk, SettlementCategory } from '#kit/ports/onboarding.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import type { DETAILS } from './fields.ts'
import { type Known, LIMITS, type OnboardedSubject } from './rules.ts'
import { onboardingPeople, onboardings } from './tables.ts'

export type Onboarding = typeof onboardings.$inferSelect
export type Person = typeof onboardingPeople.$inferSelect
export type Details = Pick<Onboarding, Exclude<keyof typeof DETAILS, 'accountNumber'>>

export type Gathered = {
  known: Known
  details: Details
  row: Onboarding | undefined
  shopName: string
  /** The paper beside which the number of the ID card lies. */
  idFrontId: number | null
  qualificationIds: number[]
  people: Person[]
}

export async function findOnboarding(ctx: Ctx, applicationId: number): Promise<Onboarding | undefined> {
  const [row] = await ctx.db
    .select()
    .from(onboardings)
    .where(and(eq(onboardings.applicationId, applicationId), ownRows(ctx, onboardings.agentId)))
  return row
}

/** The deputy first, then the owners in the order in which they were added. */
export async function peopleOf(ctx: Ctx, onboardingId: number): Promise<Person[]> {
  return ctx.db
    .select()
    .from(onboardingPeople)
    .where(and(eq(onboardingPeople.onboardingId, onboardingId), ownRows(ctx, onboardingPeople.agentId)))
    .orderBy(asc(onboardingPeople.role), asc(onboardingPeople.id))
}

export const keyOf = ({ id, qualificationType }: Pick<SettlementCategory, 'id' | 'qualificationType'>) =>
  `${id} ${qualificationType}`

/** Those of the subjects that are brought in here. */
export const categoriesOf = (desk: OnboardingDesk | null, subject: OnboardedSubject) =>
  (desk?.categories.rows ?? []).filter(({ subjects }) => subjects.includes(subject))

export async function gather(ctx: Ctx, application: Application): Promise<Gathered> {
  const { merchantId } = application
  const [row, [shop], [identity], papers] = await together([
    findOnboarding(ctx, application.id),
    ctx.db
      .select({
        shopName: merchants.shopName,
        shortName: merchants.shortName,
        shopPhone: merchants.shopPhone,
        districtCode: merchants.districtCode,
        address: merchants.address,
      })
      .from(merchants)
      .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId))),
    ctx.db
      .select({
        company: verifications.company,
        creditCode: verifications.creditCode,
        legalPerson: verifications.legalPerson,
        personInCharge: verifications.personInCharge,
        idFrontId: verifications.idFrontId,
        hasIdNumber: sql<boolean>`${documents.facts} is not null`,
      })
      .from(verifications)
      .leftJoin(documents, eq(documents.id, verifications.idFrontId))
      .where(and(eq(verifications.merchantId, merchantId), ownRows(ctx, verifications.agentId))),
    ctx.db
      .select({
        id: documents.id,
        kind: documents.kind,
        expiresOn: documents.expiresOn,
        isLongTerm: documents.isLongTerm,
      })
      .from(documents)
      .where(
        and(
          eq(documents.merchantId, merchantId),
          eq(documents.state, 'current'),
          inArray(documents.kind, ['permit', 'qualification', 'businessLicence', 'idCardBack']),
          ownRows(ctx, documents.agentId),
        ),
      )
      .orderBy(desc(documents.id)),
  ])
  const people = row ? await peopleOf(ctx, row.id) : []
  const { shopName, shortName, shopPhone, districtCode, address } = found(shop)
  const company = identity?.company ?? ''
  const endOf = (id: number | null) => papers.find(paper => paper.id === id)
  const [licence, card] = [endOf(application.licenceId), endOf(application.idBackId)]
  const details: Details = row ?? {
    subjectKind: company.endsWith('公司') ? 'enterprise' : 'individual',
    ...{ licenceAddress: '', licenceFrom: '', idFrom: '', idAddress: '', isOwner: true, category: '' },
    ...{ licenceTo: licence?.expiresOn ?? '', isLicenceLongTerm: licence?.isLongTerm ?? false },
    ...{ idTo: card?.expiresOn ?? '', isIdLongTerm: card?.isLongTerm ?? false },
    ...{ shortName, servicePhone: shopPhone || application.phone },
  }
  const qualificationIds = papers
    .filter(({ kind }) => kind === 'permit' || kind === 'qualification')
    .map(({ id }) => id)
    .slice(0, LIMITS.qualifications)
  const category =
    categoriesOf(ctx.services.providers.onboarding, details.subjectKind).find(
      one => keyOf(one) === details.category,
    ) ?? null
  return {
    ...{ details, row, shopName, qualificationIds, people },
    idFrontId: identity?.idFrontId ?? null,
    known: {
      ...details,
      ...{ payType: application.payType, phone: application.phone, bankCode: application.bankCode },
      ...{ company, creditCode: identity?.creditCode ?? '', legalPerson: identity?.legalPerson ?? '' },
      personInCharge: identity?.personInCharge ?? '',
      hasIdNumber: identity?.hasIdNumber ?? false,
      isSameCard: identity !== undefined && identity.idFrontId === application.idFrontId,
      people: people.map(({ role, name, idTo, isIdLongTerm, authorizationId }) => ({
        ...{ role, name, idTo, isIdLongTerm, hasAuthorization: authorizationId !== null },
      })),
      ...{ districtCode, address, category, qualifications: qualificationIds.length },
      hasAccountNumber: (row?.accountNumberMasked ?? '') !== '',
      today: formatDay(ctx.now),
    },
  }
}

/** The number of the ID card, which lies sealed with its picture. */
export async function idNumberOf(ctx: Ctx, { idFrontId }: Pick<Gathered, 'idFrontId'>): Promise<string> {
  const facts = idFrontId === null ? null : await readFacts(ctx, idFrontId, 'paymentApplication')
  return facts?.idNumber ?? ''
}

// Who signs in place of the legal person, and who owns the company beside it: kept with the papers that prove it, the number sealed.
// The shop's lock guards them, and they stand as they are while the service has them.
import { and, eq } from 'drizzle-orm'
import { lockApplication, tell } from '#features/acquiring/payment-applications/server-decide.ts'
import { nameOf } from '#features/acquiring/payment-applications/server-save.ts'
import { DOCUMENT_KINDS, maskNumber } from '#features/care/documents/rules.ts'
import { refuseForeignDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { hasBack, ID_PAPER_KINDS } from '#kit/ports/onboarding.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { onboardings as contract } from './contract.ts'
import { PERSON, PERSON_PAPER_KINDS, PERSON_PAPERS } from './fields.ts'
import { brokenPerson, PERSON_ROLES, REFUSALS, refuseCompletion, refuseMore } from './rules.ts'
import { gather, type Person, peopleOf } from './server-known.ts'
import { keepDetails } from './server-save.ts'
import { onboardingPeople as people } from './tables.ts'

const PAPER_NAMES = Object.keys(PERSON_PAPER_KINDS) as (keyof typeof PERSON_PAPER_KINDS)[]

export const papersOf = (person: Pick<Person, keyof typeof PERSON_PAPER_KINDS>): number[] =>
  PAPER_NAMES.flatMap(name => person[name] ?? [])

export const savePerson: Verb<typeof contract.savePerson> = async (
  ctx,
  { id, revision, personId, ...given },
) => {
  const { shop, application, before, details } = await begin(ctx, id, revision)
  const there = before ? await peopleOf(ctx, before.id) : []
  const known = personId === null ? undefined : found(there.find(one => one.id === personId))
  const { role } = given
  if (known && known.role !== role) found(undefined)
  if (!known) refuse(refuseMore(role, details.subjectKind, there), REFUSALS)
  const person = {
    ...given,
    ...(given.isIdLongTerm ? { idTo: '' } : {}),
    // The service asks nobody but owners where they live.
    address: role === 'owner' ? given.address : '',
    backId: hasBack(given.idKind) ? given.backId : null,
    authorizationId: role === 'deputy' ? given.authorizationId : null,
    // A new person has no number that is kept.
    idNumber: given.idNumber === null && !known ? '' : (given.idNumber?.toUpperCase() ?? null),
  }
  refuseBroken(PERSON, { ...person, idNumber: person.idNumber ?? '' })
  // The kept number is judged by the paper as which it is handed in now.
  const { secrets } = ctx.services
  const number = person.idNumber ?? secrets.decrypt(found(known).idNumber)
  const [broken] = brokenPerson({ ...person, idNumber: number }, formatDay(ctx.now))
  if (broken) refuse(broken.code, REFUSALS, { field: broken.field })
  const others = there.filter(one => one.role === 'owner' && one.id !== personId)
  if (role === 'owner' && others.some(one => secrets.decrypt(one.idNumber) === number))
    refuse('OWNER_TWICE', REFUSALS, { field: 'idNumber' })
  await refuseForeignDocuments(ctx, application.merchantId, PERSON_PAPER_KINDS, person)
  const kept = await keepDetails(ctx, application, before, details)
  const { idNumber: _, ...plain } = person
  const values = {
    ...plain,
    frontId: found(person.frontId ?? undefined),
    ...{ idNumber: secrets.encrypt(number), idNumberMasked: maskNumber(number) },
    ...{ savedByName: nameOf(ctx), savedAt: ctx.now.toISOString() },
  }
  const [row] = known
    ? await ctx.db
        .update(people)
        .set(values)
        .where(and(eq(people.id, known.id), ownRows(ctx, people.agentId)))
        .returning()
    : await ctx.db
        .insert(people)
        .values({ ...values, agentId: shop.agentId, merchantId: shop.id, onboardingId: kept.id })
        .returning()
  const after = found(row)
  await takeInUse(ctx, shop.id, useOf(after.id), papersOf(after))
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, changesOf(known, after))
  if (shop.agentId !== ctx.actor.agentId)
    await tell(ctx, shop, id, { title: `已代为填写${PERSON_ROLES[role]}`, body: '' })
  return { revision: kept.revision, personId: after.id }
}

export const removePerson: Verb<typeof contract.removePerson> = async (ctx, { id, revision, personId }) => {
  const { shop, application, before, details } = await begin(ctx, id, revision)
  const there = before ? await peopleOf(ctx, before.id) : []
  const person = found(there.find(one => one.id === personId))
  await takeInUse(ctx, shop.id, useOf(personId), [])
  await ctx.db.delete(people).where(and(eq(people.id, personId), ownRows(ctx, people.agentId)))
  const kept = await keepDetails(ctx, application, before, details)
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: PERSON_ROLES[person.role], before: `${person.name} ${person.idNumberMasked}`, after: null },
  ])
  if (shop.agentId !== ctx.actor.agentId)
    await tell(ctx, shop, id, { title: `已代为移除${PERSON_ROLES[person.role]}`, body: person.name })
  return { revision: kept.revision }
}

const useOf = (personId: number) =>
  ({ feature: 'paymentApplications', objectId: `person ${personId}` }) as const

/** The shop is locked first, as by whoever completes the rest. */
async function begin(ctx: Ctx, id: number, revision: number) {
  const { shop, row: application } = await lockApplication(ctx, id)
  const { details, row: before } = await gather(ctx, application)
  if ((before?.revision ?? 0) !== revision) refuseCommon('STALE')
  refuse(refuseCompletion(before?.state ?? null, application.reviewState), REFUSALS)
  return { shop, application, before, details }
}

/** By their labels; of the number as it is masked, of pictures which paper. */
function changesOf(before: Person | undefined, after: Person): FieldChange[] {
  const role = PERSON_ROLES[after.role]
  const said = (row: Person): [label: string, text: string][] => [
    [PERSON.idKind.label, ID_PAPER_KINDS[row.idKind]],
    [PERSON.name.label, row.name],
    [PERSON.idNumber.label, row.idNumberMasked],
    [PERSON.idFrom.label, row.idFrom],
    [PERSON.idTo.label, row.isIdLongTerm ? '长期' : row.idTo],
    [PERSON.address.label, row.address],
    ...PAPER_NAMES.map((name): [string, string] => [
      PERSON_PAPERS[name],
      row[name] === null ? '' : `${DOCUMENT_KINDS[PERSON_PAPER_KINDS[name]]} ${row[name]}`,
    ]),
  ]
  const was = before && new Map(said(before))
  return said(after).flatMap(([label, is]) => {
    const old = was?.get(label) ?? null
    return old === is || (old === null && is === '')
      ? []
      : [{ name: `${role}${label}`, before: old, after: is }]
  })
}

// The board through the router: rows are kept by what they are made of, counted, and a shop is reminded once.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import { APPROVAL_STATE_KEYS, CHANNEL_STATE_KEYS } from '#features/acquiring/acquirer-onboardings/rules.ts'
import { makeAcquirerOnboarding } from '#features/acquiring/acquirer-onboardings/walk.ts'
import { ONBOARDING_STEP_WORDS, type OnboardingStep } from '#features/acquiring/onboardings/rules.ts'
import { OWNER_PAPERS_STATES, type OwnerPapersState } from '#features/acquiring/owner-papers/rules.ts'
import { makeHandedIn, makeOwnerLink } from '#features/acquiring/owner-papers/walk.ts'
import {
  APPLICATION_STATES,
  type ApplicationState,
  REVIEW_STATE_KEYS,
} from '#features/acquiring/payment-applications/rules.ts'
import { makeApplication } from '#features/acquiring/payment-applications/walk.ts'
import { ONBOARDING_STATES, type OnboardingState } from '#kit/ports/onboarding.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { SILENT_SMS } from '#test/silent-sms.ts'
import { REFUSALS, STEP_KEYS, STEPS, stepOfAcquirer, stepOfApplication, stepOfOwner } from './rules.ts'
import { makeToSign } from './walk.ts'

let office: Office
let staff: Client
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  office = await openOffice({ providers: { ...NO_PROVIDERS, sms: SILENT_SMS } })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
})

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const rows = async (asked: Parameters<Client['acquiringProgress']['list']>[0] = {}) =>
  (await me.acquiringProgress.list(asked)).rows
const messages = async (merchantId: number) =>
  (
    await office.owner.query(
      'select id, kind, phone, template, text from outbox_messages where merchant_id = $1 order by id',
      [merchantId],
    )
  ).rows

describe('the database', () => {
  test('says of each state of an application the same step as the rules', async () => {
    const owners = [null, ...(Object.keys(OWNER_PAPERS_STATES) as OwnerPapersState[])]
    const cases = (Object.keys(APPLICATION_STATES) as ApplicationState[]).flatMap(state =>
      [null, ...REVIEW_STATE_KEYS].flatMap(review =>
        [null, ...(Object.keys(ONBOARDING_STEP_WORDS) as OnboardingStep[])].flatMap(onboarding =>
          [null, ...(Object.keys(ONBOARDING_STATES) as OnboardingState[])].flatMap(service =>
            owners.map(owner => ({ state, review, onboarding, service, owner })),
          ),
        ),
      ),
    )
    const { rows: told } = await office.owner.query(
      `select progress_of_application(c->>'state', c->>'review', c->>'onboarding', c->>'service', c->>'owner') as step
       from jsonb_array_elements($1::jsonb) with ordinality as e (c, place) order by place`,
      [JSON.stringify(cases)],
    )
    assert.equal(told.length, 4 * 5 * 8 * 9 * 5)
    assert.deepEqual(
      told.map(({ step }) => step),
      cases.map(stepOfApplication),
    )
  })

  test('says of each state of an acquirer onboarding the same step, and of each step the same turn', async () => {
    for (const isActive of [true, false])
      for (const approval of APPROVAL_STATE_KEYS)
        for (const state of CHANNEL_STATE_KEYS)
          for (const isHandedOver of [true, false]) {
            const { rows: told } = await office.owner.query(
              'select progress_of_acquirer($1, $2, $3, $4) as step',
              [isActive, approval, state, isHandedOver],
            )
            assert.equal(told[0].step, stepOfAcquirer({ isActive, approval, state, isHandedOver }))
          }
    for (const owner of Object.keys(OWNER_PAPERS_STATES) as OwnerPapersState[]) {
      const { rows: told } = await office.owner.query('select progress_of_owner($1) as step', [owner])
      assert.equal(told[0].step, stepOfOwner(owner), owner)
    }
    for (const step of STEP_KEYS) {
      const { rows: told } = await office.owner.query('select turn_of_progress($1) as turn', [step])
      assert.equal(told[0].turn, STEPS[step].turn, step)
    }
  })
})

test('both kinds stand on one board, the longest first, each with its step, turn and promise; others see none of it', async () => {
  const other = await makeMerchant(office, agent.id, { shop_name: '李记' })
  await makeApplication(office, {
    ...{ agentId: agent.id, merchantId: shop, state: 'pending' },
    ...{ savedAt: ago(30), submittedAt: ago(30) },
  })
  await makeAcquirerOnboarding(office, { agentId: agent.id, merchantId: other, channel: 'xl' })
  const board = await rows()
  assert.deepEqual(
    board.map(row => [row.shopName, row.kind, row.channel, row.step, row.turn, row.hours, row.isOverdue]),
    [
      ['老张面馆', 'application', 'service', 'deciding', 'staff', 24, true],
      ['李记', 'acquirer', 'xl', 'acquirerDrafting', 'agent', 72, false],
    ],
  )
  assert.deepEqual(await me.acquiringProgress.counts(), {
    ...{ staff: 1, agent: 1, shop: 0, provider: 0, overdue: 1 },
  })
  const found = async (asked: Parameters<typeof rows>[0]) =>
    (await rows(asked)).map(({ shopName }) => shopName)
  assert.deepEqual(await found({ turn: 'agent' }), ['李记'])
  assert.deepEqual(await found({ overdue: true }), ['老张面馆'])
  assert.deepEqual(await found({ channel: 'xl' }), ['李记'])
  assert.deepEqual(await found({ search: String(shop) }), ['老张面馆'])
  const stranger = await makeAgent(office)
  const theirs = office.as(await office.login(stranger.loginName))
  assert.deepEqual((await theirs.acquiringProgress.list({})).rows, [])
  assert.equal((await theirs.acquiringProgress.counts()).staff, 0)
  const seen = await staff.acquiringProgress.list({ agentId: agent.id })
  assert.equal(seen.total, 2)
})

test('a row follows what it is made of, keeps since when it stands so, and leaves the board once it is open', async () => {
  const id = await makeApplication(office, {
    ...{ agentId: agent.id, merchantId: shop, state: 'pending' },
    ...{ savedAt: ago(5), submittedAt: ago(5) },
  })
  const [before] = await rows()
  await office.owner.query(
    `update payment_applications set saved_at = now(), handled_by_name = '李四' where id = $1`,
    [id],
  )
  const [saved] = await rows()
  assert.deepEqual([saved?.since, saved?.reviewerName], [before?.since, '李四'])
  await staff.paymentApplications.approve({ id, revision: 1 })
  const [approved] = await rows()
  assert.equal(approved?.step, 'toHandIn')
  assert.ok(Date.parse(approved?.since ?? '') > Date.parse(before?.since ?? ''))
  await staff.paymentApplications.review({ id, revision: 2, reviewState: 'accepted', reviewNote: '' })
  assert.deepEqual(await rows(), [])
  assert.equal((await rows({ turn: 'none' }))[0]?.step, 'opened')
})

describe('a reminder', () => {
  test('is refused in words where the office has no SMS service, and no link takes the place of the one that stood', async () => {
    const signing = await makeToSign(office, { agentId: agent.id, merchantId: shop, phone: '13900139000' })
    const other = await makeMerchant(office, agent.id)
    await makeApplication(office, { agentId: agent.id, merchantId: other })
    const { id: linkId } = await me.ownerPapers.makeLink({ merchantId: other })
    const filling = (await rows()).find(({ step }) => step === 'ownerFilling')?.id ?? 0
    const { services } = office.app
    const connected = services.providers
    services.providers = { ...connected, sms: null }
    try {
      const refusal = (id: number, step: 'signing' | 'ownerFilling') =>
        refusalOf(me.acquiringProgress.remind({ id, step }))
      assert.equal(await refusal(signing, 'signing'), 'SMS_NONE')
      assert.equal(await refusal(filling, 'ownerFilling'), 'SMS_NONE')
    } finally {
      services.providers = connected
    }
    assert.deepEqual([await messages(shop), await messages(other)], [[], []])
    assert.equal((await me.ownerPapers.ofShop({ merchantId: other })).standing?.id, linkId)
    await me.acquiringProgress.remind({ id: signing, step: 'signing' })
  })

  test('goes to the phone of the application with the address to sign at, once, whoever presses twice', async () => {
    const id = await makeToSign(office, { agentId: agent.id, merchantId: shop, phone: '13900139000' })
    const input = { id, step: 'signing' } as const
    const both = await Promise.allSettled([
      me.acquiringProgress.remind(input),
      me.acquiringProgress.remind(input),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const [sent, ...more] = await messages(shop)
    assert.deepEqual(more, [])
    assert.deepEqual([sent.phone, sent.template], ['13900139000', 'onboarding-sign'])
    assert.match(sent.text, /老张面馆.*签约.*https:\/\/pay\.example\.com\/sign\/1/)
    const [row] = await rows()
    assert.ok(row?.remindedAt)
    // Nobody has handed it to the provider yet.
    assert.equal(row?.reminderStatus, 'queued')
    assert.equal(await refusalOf(me.acquiringProgress.remind(input)), 'REMINDED_JUST_NOW')
  })

  test('to the owner makes a link that takes the place of the one that stood, and is no new step', async () => {
    await makeApplication(office, { agentId: agent.id, merchantId: shop })
    await me.ownerPapers.makeLink({ merchantId: shop })
    const [row] = await rows()
    assert.equal(row?.step, 'ownerFilling')
    await me.acquiringProgress.remind({ id: row?.id ?? 0, step: 'ownerFilling' })
    const [sent] = await messages(shop)
    assert.equal(sent.kind, 'owner-link')
    assert.match(sent.text, /\/o\/[\w-]{32}/)
    const [again] = await rows()
    assert.deepEqual([again?.step, again?.since], ['ownerFilling', row?.since])
    const { history } = await me.ownerPapers.ofShop({ merchantId: shop })
    assert.equal(history.filter(({ endedAt }) => endedAt === null).length, 1)
  })

  test('of an owner is remembered though his link is called off and another made', async () => {
    const { id } = await me.ownerPapers.makeLink({ merchantId: shop })
    const [row] = await rows()
    await me.acquiringProgress.remind({ id: row?.id ?? 0, step: 'ownerFilling' })
    const { standing } = await me.ownerPapers.ofShop({ merchantId: shop })
    assert.notEqual(standing?.id, id)
    await me.ownerPapers.callOff({ id: standing?.id ?? 0 })
    assert.deepEqual(await rows(), [])
    await me.ownerPapers.makeLink({ merchantId: shop })
    const [again] = await rows()
    assert.equal(again?.remindRefusal, REFUSALS.REMINDED_JUST_NOW)
    const input = { id: again?.id ?? 0, step: 'ownerFilling' } as const
    assert.equal(await refusalOf(me.acquiringProgress.remind(input)), 'REMINDED_JUST_NOW')
  })

  test('is refused where it is not the shop’s turn, what was seen is past, or no phone takes it; nothing is sent', async () => {
    await makeApplication(office, { agentId: agent.id, merchantId: shop, state: 'pending' })
    const [row] = await rows()
    const id = row?.id ?? 0
    assert.equal(await refusalOf(me.acquiringProgress.remind({ id, step: 'deciding' })), 'NOT_SHOPS_TURN')
    assert.equal(await refusalOf(me.acquiringProgress.remind({ id, step: 'signing' })), 'STALE')
    const landline = await makeMerchant(office, agent.id, { account: 'shop-without-phone' })
    const signing = await makeToSign(office, {
      agentId: agent.id,
      merchantId: landline,
      phone: '0755-1234567',
    })
    assert.equal(await refusalOf(me.acquiringProgress.remind({ id: signing, step: 'signing' })), 'NO_PHONE')
    const stranger = await makeAgent(office)
    const theirs = office.as(await office.login(stranger.loginName))
    assert.equal(
      await refusalOf(theirs.acquiringProgress.remind({ id: signing, step: 'signing' })),
      'NOT_FOUND',
    )
    assert.deepEqual([...(await messages(shop)), ...(await messages(landline))], [])
  })
})

test('an owner who takes longer than promised waits in the inbox of the agent, until the shop was reminded', async () => {
  const waiting = async () =>
    (await me.inbox.list({ size: 100 })).rows.filter(({ source }) => source === 'acquiring-progress.remind')
  await makeApplication(office, { agentId: agent.id, merchantId: shop })
  await me.ownerPapers.makeLink({ merchantId: shop })
  assert.deepEqual(await waiting(), [])
  await office.owner.query('update acquiring_progress set since = $2 where merchant_id = $1', [shop, ago(73)])
  const [item] = await waiting()
  assert.equal(item?.title, '老张面馆')
  const [row] = await rows()
  await me.acquiringProgress.remind({ id: row?.id ?? 0, step: 'ownerFilling' })
  assert.deepEqual(await waiting(), [])
})

describe('a shop without an application to whose owner a link was sent', () => {
  const stands = async () =>
    (await rows()).map(row => [row.kind, row.step, row.turn, row.sourceId, row.hours])

  test('stands on the board from the first link to the last, whoever replaces it, with its promise', async () => {
    await me.ownerPapers.makeLink({ merchantId: shop })
    assert.deepEqual(await stands(), [['owner', 'ownerFilling', 'shop', shop, 72]])
    assert.deepEqual(await me.acquiringProgress.counts(), {
      ...{ staff: 0, agent: 0, shop: 1, provider: 0, overdue: 0 },
    })
    const [first] = await rows()
    const { id } = await me.ownerPapers.makeLink({ merchantId: shop })
    const [second] = await rows()
    assert.deepEqual([second?.id, second?.since], [first?.id, first?.since])
    await office.owner.query('update acquiring_progress set since = $2 where merchant_id = $1', [
      shop,
      ago(73),
    ])
    assert.equal((await me.acquiringProgress.counts()).overdue, 1)
    assert.equal((await rows({ overdue: true }))[0]?.isOverdue, true)
    const stranger = await makeAgent(office)
    const theirs = office.as(await office.login(stranger.loginName))
    assert.deepEqual((await theirs.acquiringProgress.list({})).rows, [])
    await me.ownerPapers.callOff({ id })
    assert.deepEqual(await stands(), [])
  })

  test('is its agent’s to look at once it was handed in, the owner’s again once sent back, and an application’s once taken over', async () => {
    const { id } = await makeHandedIn(office, { ...agent, merchantId: shop })
    assert.deepEqual(await stands(), [['owner', 'ownerSubmitted', 'agent', shop, 24]])
    await me.ownerPapers.sendBack({ id, revision: 2, reasons: { email: '邮箱收不到邮件' } })
    assert.deepEqual(await stands(), [['owner', 'ownerFilling', 'shop', shop, 72]])
    await office.owner.query(`update owner_papers set state = 'submitted' where id = $1`, [id])
    await me.ownerPapers.adopt({ id, revision: 3 })
    const [row, ...more] = await rows()
    assert.deepEqual([row?.kind, row?.step, more], ['application', 'drafting', []])
  })

  test('is taken from the board by an application that somebody begins, under which its owner goes on', async () => {
    await me.ownerPapers.makeLink({ merchantId: shop })
    const application = await makeApplication(office, { agentId: agent.id, merchantId: shop })
    assert.deepEqual(await stands(), [['application', 'ownerFilling', 'shop', application, 72]])
  })

  test('goes along with its shop to another agent', async () => {
    await me.ownerPapers.makeLink({ merchantId: shop })
    const other = await makeAgent(office)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, other.id])
    assert.deepEqual(await stands(), [])
    const theirs = office.as(await office.login(other.loginName))
    assert.equal((await theirs.acquiringProgress.list({})).rows[0]?.merchantId, shop)
  })

  test('is reminded once in a day, with a link that says when the one before had expired', async () => {
    await makeOwnerLink(office, { ...agent, merchantId: shop }, { expiresAt: ago(1), createdAt: ago(169) })
    const [row] = await rows()
    assert.deepEqual([row?.isLinkExpired, row?.isOverdue], [true, true])
    const input = { id: row?.id ?? 0, step: 'ownerFilling' } as const
    const both = await Promise.allSettled([
      me.acquiringProgress.remind(input),
      me.acquiringProgress.remind(input),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    assert.equal((await messages(shop)).length, 1)
    const [again] = await rows()
    assert.equal(again?.isLinkExpired, false)
    assert.ok(again?.remindedAt)
    assert.equal(await refusalOf(me.acquiringProgress.remind(input)), 'REMINDED_JUST_NOW')
  })

  test('waits in the inbox of its agent when it takes longer than promised, and is in no figure of time', async () => {
    await makeOwnerLink(office, { ...agent, merchantId: shop }, { createdAt: ago(73) })
    const waiting = (await me.inbox.list({ size: 100 })).rows.filter(
      ({ source }) => source === 'acquiring-progress.remind',
    )
    assert.deepEqual(
      waiting.map(({ title }) => title),
      ['老张面馆'],
    )
    const told = await me.acquiringProgress.times({ period: 'year' })
    assert.deepEqual([told.total.opened, told.total.decided, told.rows], [0, 0, []])
    const { rows: kept } = await office.owner.query(
      'select submitted_at, refused_at, opened_at from acquiring_progress where merchant_id = $1',
      [shop],
    )
    assert.deepEqual(kept, [{ submitted_at: null, refused_at: null, opened_at: null }])
  })
})

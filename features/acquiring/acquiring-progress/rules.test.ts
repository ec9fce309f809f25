import assert from 'node:assert/strict'
import test from 'node:test'
import {
  APPROVAL_STATE_KEYS,
  type ApprovalState,
  CHANNEL_STATE_KEYS,
  type ChannelState,
} from '#features/acquiring/acquirer-onboardings/rules.ts'
import { ONBOARDING_STEP_WORDS, type OnboardingStep } from '#features/acquiring/onboardings/rules.ts'
import { OWNER_PAPERS_STATES, type OwnerPapersState } from '#features/acquiring/owner-papers/rules.ts'
import { ONBOARDING_STATES, type OnboardingState } from '#kit/ports/onboarding.ts'
import {
  type ApplicationStands,
  daysText,
  linkOf,
  type ProgressStep,
  promisedHours,
  refusedShare,
  refuseReminder,
  STEP_KEYS,
  STEPS,
  stepOfAcquirer,
  stepOfApplication,
  timesByOf,
  waitText,
} from './rules.ts'

const stands = (given: Partial<ApplicationStands>): ApplicationStands => ({
  ...{ state: 'approved', review: 'accepting', onboarding: null, service: null, owner: null },
  ...given,
})

const OF_OWNER: Record<OwnerPapersState, [draft: ProgressStep, rejected: ProgressStep]> = {
  draft: ['ownerFilling', 'ownerFilling'],
  submitted: ['ownerSubmitted', 'ownerSubmitted'],
  returned: ['ownerFilling', 'ownerFilling'],
  adopted: ['drafting', 'mending'],
}

test('what is open to its agent waits for the owner while he has a link, and for the agent otherwise', () => {
  assert.equal(stepOfApplication(stands({ state: 'draft' })), 'drafting')
  assert.equal(stepOfApplication(stands({ state: 'rejected' })), 'mending')
  assert.equal(stepOfApplication(stands({ state: 'approved', review: 'rejected' })), 'mending')
  for (const owner of Object.keys(OWNER_PAPERS_STATES) as OwnerPapersState[]) {
    assert.equal(stepOfApplication(stands({ state: 'draft', owner })), OF_OWNER[owner][0], owner)
    assert.equal(stepOfApplication(stands({ state: 'rejected', owner })), OF_OWNER[owner][1], owner)
    assert.equal(stepOfApplication(stands({ state: 'pending', owner })), 'deciding', owner)
  }
})

const OF_ONBOARDING: Record<OnboardingStep, ProgressStep> = {
  filling: 'toHandIn',
  waiting: 'handingIn',
  asked: 'auditing',
  mending: 'toHandIn',
  stuck: 'stuck',
  finished: 'opened',
  ended: 'toHandIn',
}

test('what was approved is where its onboarding stands, and open once it is accepted', () => {
  assert.equal(stepOfApplication(stands({})), 'toHandIn')
  for (const onboarding of Object.keys(ONBOARDING_STEP_WORDS) as OnboardingStep[]) {
    assert.equal(stepOfApplication(stands({ onboarding })), OF_ONBOARDING[onboarding], onboarding)
    assert.equal(stepOfApplication(stands({ onboarding, review: 'waiting' })), OF_ONBOARDING[onboarding])
    assert.equal(stepOfApplication(stands({ onboarding, review: 'accepted' })), 'opened', onboarding)
  }
})

const OF_SERVICE: Record<OnboardingState, ProgressStep> = {
  editing: 'auditing',
  auditing: 'auditing',
  rejected: 'auditing',
  toBeConfirmed: 'confirming',
  toBeSigned: 'signing',
  signing: 'enabling',
  finished: 'enabling',
  canceled: 'toHandIn',
}

test('what is with the service is where the service says', () => {
  for (const service of Object.keys(ONBOARDING_STATES) as OnboardingState[])
    assert.equal(stepOfApplication(stands({ onboarding: 'asked', service })), OF_SERVICE[service], service)
})

const OF_ACQUIRER: Record<ApprovalState, Record<ChannelState, ProgressStep>> = {
  draft: all('acquirerDrafting'),
  pending: all('acquirerDeciding'),
  rejected: all('acquirerMending'),
  approved: {
    waiting: 'acquirerSending',
    sent: 'acquirerAuditing',
    opened: 'acquirerHandingOver',
    refused: 'acquirerSending',
  },
}
function all(step: ProgressStep): Record<ChannelState, ProgressStep> {
  return { waiting: step, sent: step, opened: step, refused: step }
}

test('an acquirer onboarding is where its approval and its acquirer have it', () => {
  for (const approval of APPROVAL_STATE_KEYS)
    for (const state of CHANNEL_STATE_KEYS) {
      const of = { approval, state, isActive: true, isHandedOver: false }
      assert.equal(stepOfAcquirer(of), OF_ACQUIRER[approval][state], `${approval} ${state}`)
      assert.equal(stepOfAcquirer({ ...of, isActive: false }), 'acquirerAside')
    }
  const open = { approval: 'approved', state: 'opened', isActive: true } as const
  assert.equal(stepOfAcquirer({ ...open, isHandedOver: true }), 'acquirerOpened')
})

test('each step that waits has a promise; what waits for us or the agent has a next step, what is open has neither', () => {
  const hours = promisedHours({ application: 24, acquirer: 36 })
  assert.deepEqual([hours.deciding, hours.acquirerDeciding, hours.opened], [24, 36, undefined])
  for (const key of STEP_KEYS) {
    const { turn, next } = STEPS[key]
    assert.equal(hours[key] !== undefined, turn !== 'none', key)
    if (turn === 'staff' || turn === 'agent') assert.ok(next, key)
    if (turn === 'shop' || turn === 'none') assert.equal(next, null, key)
    assert.match(STEPS[key].link({ sourceId: 7, merchantId: 8 }).to, /^\/admin\//)
  }
})

test('an agent opens what waits for our review where it was handed in', () => {
  const of = { step: 'toHandIn', sourceId: 7, merchantId: 8 } as const
  assert.equal(linkOf(of, () => false).to, '/admin/schedule/payApplication')
  assert.equal(linkOf(of, () => true).to, '/admin/schedule/payInformation')
})

const NOW = new Date('2026-03-10T10:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()

test('how long something waits is told beside what was promised, and by how much that is past', () => {
  const cases: [waited: number, hours: number | null, text: string, isOverdue: boolean][] = [
    [0.5, 24, '不到 1 小时 / 24 小时', false],
    [24, 24, '24 小时 / 24 小时', false],
    [24.5, 24, '24 小时，刚超', true],
    [25.5, 24, '25 小时，超 1 小时', true],
    [24 * 5, 72, '5 天，超 2 天', true],
    [24 * 5, null, '5 天', false],
    [-1, 24, '不到 1 小时 / 24 小时', false],
  ]
  for (const [waited, hours, text, isOverdue] of cases)
    assert.deepEqual(waitText(ago(waited), hours, NOW), { text, isOverdue })
})

test('a shop is reminded where it is its turn, and once in a day', () => {
  assert.equal(refuseReminder({ turn: 'shop', remindedAt: null }, NOW), null)
  assert.equal(refuseReminder({ turn: 'shop', remindedAt: ago(24) }, NOW), null)
  assert.equal(refuseReminder({ turn: 'shop', remindedAt: ago(23.9) }, NOW), 'REMINDED_JUST_NOW')
  for (const turn of ['staff', 'agent', 'provider', 'none'] as const)
    assert.equal(refuseReminder({ turn, remindedAt: null }, NOW), 'NOT_SHOPS_TURN')
})

test('days are told to a tenth, a share of first tries to a tenth of a percent, and what is not known as such', () => {
  const days: [number | null, string][] = [
    [null, '—'],
    [0, '不到 0.1 天'],
    [0.04, '不到 0.1 天'],
    [0.05, '0.1 天'],
    [3, '3 天'],
    [12.34, '12.3 天'],
  ]
  for (const [given, text] of days) assert.equal(daysText(given), text, String(given))
  const shares: [decided: number, refused: number, share: number | null][] = [
    [0, 0, null],
    [4, 0, 0],
    [3, 1, 3_330],
    [4, 4, 10_000],
  ]
  for (const [decided, refused, share] of shares) assert.equal(refusedShare({ decided, refused }), share)
})

test('only staff are told by agent', () => {
  assert.deepEqual(timesByOf(true), ['channel', 'reviewer', 'agent'])
  assert.deepEqual(timesByOf(false), ['channel', 'reviewer'])
})

// Whatever the platform tells comes twice, late, out of order or is forged: 1,000 made-up histories of one flow in the long lane. What the flow was
// told and asked is played against what is true at the platform.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextState } from '#kit/declare/machine.ts'
import { times } from '#test/lane.ts'
import { FLOW_STEPS, type FlowState, type FlowStep, type FlowTold, takes, toldMove } from './rules.ts'

const BEGINS = Date.UTC(2026, 10, 30)
/** Why it was refused, where the platform did not know better. */
const UNSURE = '没有找到该注册任务'
const iso = (seconds: number) => new Date(BEGINS + seconds * 1_000).toISOString()

/** A registration that was handed in: the platform alone knows how it ended. */
type Task = { end: { at: number; isDone: boolean; message: string } | null }
type Push = { id: number; isOurs: boolean; told: FlowTold }
type Flow = {
  state: FlowState
  handedInAt: string | null
  message: string
  isFound: boolean
  isAuthorized: boolean
}

/** One flow of ours, and the platform. Each history begins anew. */
class History {
  now = 0
  flow: Flow = { state: 'toCreate', handedInAt: null, message: '', isFound: false, isAuthorized: false }
  task: Task | null = null
  isAuthorized = false
  wasTakenBack = false
  /** Of which any may still be brought, however often it was. */
  pushes: Push[] = []
  taken = new Set<number>()
  seen: FlowState[] = ['toCreate']

  /** What is asked about by itself; of all else the platform's word is awaited. */
  isRegistering(): boolean {
    return this.flow.state === 'creating' || (this.flow.state === 'faceCheck' && this.task?.end !== null)
  }

  step(step: FlowStep, given: Partial<Flow>): void {
    // As `stepFlow`: where the state does not take it, the rest alone is changed.
    const state = nextState<FlowState, FlowStep>(FLOW_STEPS, this.flow.state, step) ?? this.flow.state
    this.flow = { ...this.flow, ...given, state }
    if (this.seen.at(-1) !== state) this.seen.push(state)
  }

  push(told: FlowTold, isOurs = true): void {
    this.pushes.push({ id: this.pushes.length, isOurs, told })
  }

  /** Brought to us, for the first time or again. */
  bring(push: Push): void {
    const before = this.flow
    const wasTaken = this.taken.has(push.id)
    // A forged one is not for us, or of somebody who does not hold the key: its flow is not found.
    if (!wasTaken && push.isOurs) {
      this.taken.add(push.id)
      this.act(push.told)
    }
    if (wasTaken || !push.isOurs) assert.equal(this.flow, before)
    this.check()
  }

  act(told: FlowTold): void {
    // Of a mini program that is none of ours yet: the code that comes with its registration says whose it is.
    if (told.kind !== 'registered' && !this.flow.isFound) return
    const move = toldMove(this.flow, told)
    if (move === 'finish') {
      this.step('finish', { message: '' })
      // The code is traded, which is refused where the owner has taken it back meanwhile.
      if (this.isAuthorized) this.step('authorize', { isFound: true, isAuthorized: true })
    }
    if (move === 'refuse' && told.kind === 'registered') this.step('refuse', { message: told.message })
    if (move === 'ask') this.ask()
  }

  /** How it stands is asked: of the registration that runs, or of what was authorised. */
  ask(): void {
    const { flow, task } = this
    if (flow.state === 'creating') this.step('accept', { message: '' })
    else if (flow.state === 'faceCheck' && task?.end)
      this.step(task.end.isDone ? 'finish' : 'refuse', { message: task.end.message })
    else if (flow.isFound) this.flow = { ...flow, isAuthorized: this.isAuthorized }
  }

  press(): void {
    const { task } = this
    if (!takes(this.flow.state, 'create') || task?.end?.isDone) return
    this.step('create', { handedInAt: iso(this.now), message: '' })
    // One that was said to be lost runs on: the platform takes no other.
    if (task && !task.end) this.step('refuse', { message: UNSURE })
    else this.task = { end: null }
  }

  /** The platform answers that it knows of none, though it does. */
  lose(): void {
    if (this.flow.state === 'faceCheck' && !this.task?.end) this.step('refuse', { message: UNSURE })
  }

  end(isDone: boolean): void {
    const { task } = this
    if (!task || task.end) return
    const at = this.now
    this.isAuthorized = isDone
    task.end = { at, isDone, message: isDone ? '' : `因为${at}` }
    this.push({ kind: 'registered', isDone, at: iso(at), message: task.end.message })
  }

  /** An owner agrees or takes it back, who can once there is a mini program. */
  own(isAuthorized: boolean): void {
    if (!this.task?.end?.isDone || this.isAuthorized === isAuthorized) return
    this.isAuthorized = isAuthorized
    this.wasTakenBack ||= !isAuthorized
    this.push({ kind: isAuthorized ? 'authorized' : 'unauthorized' })
  }

  /** What can never be, whatever has come so far. */
  check(): void {
    const { flow, task } = this
    const isCreated = !['toCreate', 'creating', 'faceCheck', 'creationRefused'].includes(flow.state)
    if (isCreated) assert.ok(task?.end?.isDone, 'created, and it was not')
    if (isCreated) assert.equal(flow.message, '')
    if (flow.state === 'creationRefused' && flow.message !== UNSURE) {
      assert.ok(task?.end && !task.end.isDone, 'refused, and it was not')
      assert.equal(flow.message, task.end.message, 'refused for the reason of another try')
    }
    if (flow.state === 'authorized') assert.ok(flow.isFound)
    for (const [at, state] of this.seen.entries()) {
      const from = this.seen[at - 1]
      const steps = Object.keys(FLOW_STEPS) as FlowStep[]
      assert.ok(
        from === undefined ||
          steps.some(step => nextState<FlowState, FlowStep>(FLOW_STEPS, from, step) === state),
        `${from} went to ${state}`,
      )
    }
  }

  /** All that was told has come at least once, in whatever order, and a registration was asked about. */
  settle(order: (pushes: readonly Push[]) => Push[]): void {
    for (const push of order(this.pushes)) this.bring(push)
    while (this.isRegistering()) this.ask()
    this.check()
  }
}

const happening = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['press'] as const) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('end' as const), fc.boolean()) },
  { weight: 3, arbitrary: fc.constant(['ask'] as const) },
  { weight: 1, arbitrary: fc.constant(['lose'] as const) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('own' as const), fc.boolean()) },
  { weight: 6, arbitrary: fc.tuple(fc.constant('bring' as const), fc.nat(40)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constant('forge' as const), fc.boolean(), fc.integer({ min: -60, max: 60 })),
  },
)
/** Happenings, each so many seconds after the one before. */
const histories = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), happening), {
  minLength: 5,
  maxLength: 60,
})

test('pushes that come twice, late, out of order or forged change nothing wrongly', () => {
  const reached = new Set<FlowState>()
  fc.assert(
    fc.property(
      histories,
      fc.array(fc.nat(1_000), { minLength: 80, maxLength: 80 }),
      (happenings, sorted) => {
        const history = new History()
        for (const [seconds, [what, one = 0, two = 0]] of happenings) {
          history.now += seconds
          if (what === 'press') history.press()
          if (what === 'end') history.end(one === true)
          if (what === 'ask' && history.isRegistering()) history.ask()
          if (what === 'lose') history.lose()
          if (what === 'own') history.own(one === true)
          if (what === 'forge')
            history.push(
              { kind: 'registered', isDone: one === true, at: iso(history.now + two), message: '伪造' },
              false,
            )
          const push =
            what === 'bring' ? history.pushes[Number(one) % Math.max(history.pushes.length, 1)] : undefined
          if (push) history.bring(push)
          history.check()
        }
        history.settle(pushes => pushes.toSorted((a, b) => (sorted[a.id] ?? 0) - (sorted[b.id] ?? 0)))
        const { flow, task, isAuthorized } = history
        const { isDone } = task?.end ?? {}
        // In the end it stands as it stands at the platform.
        if (isDone) assert.equal(flow.state, flow.isFound ? 'authorized' : 'toAuthorize')
        if (flow.isFound) assert.equal(flow.isAuthorized, isAuthorized)
        if (isDone && isAuthorized && !history.wasTakenBack) assert.ok(flow.isFound, 'its code was not taken')
        if (isDone === false)
          assert.deepEqual([flow.state, flow.message], ['creationRefused', task?.end?.message])
        reached.add(flow.state)
      },
    ),
    { numRuns: times(200, 1_000), seed: 30 },
  )
  assert.deepEqual([...reached].toSorted(), [
    'authorized',
    'creationRefused',
    'faceCheck',
    'toAuthorize',
    'toCreate',
  ])
})

test('the end of an earlier try, of one that is known and of one that stands elsewhere moves nothing', () => {
  const flow = { state: 'faceCheck', handedInAt: iso(10), message: '', isFound: false } as const
  const told = (isDone: boolean, at: number, message = '因为') =>
    ({ kind: 'registered', isDone, at: iso(at), message }) as const
  const CASES: [Parameters<typeof toldMove>[0], FlowTold, ReturnType<typeof toldMove>][] = [
    [flow, told(true, 10), 'finish'],
    [flow, told(false, 11), 'refuse'],
    [flow, told(true, 9), null],
    [flow, told(false, 9), null],
    [{ ...flow, handedInAt: null }, told(true, 11), null],
    [{ ...flow, handedInAt: '2026-11-30T00:00:10.900Z' }, told(true, 10), 'finish'],
    [{ ...flow, state: 'creationRefused', message: '因为' }, told(false, 11), null],
    [{ ...flow, state: 'creationRefused', message: '没有找到' }, told(false, 11), 'refuse'],
    [{ ...flow, state: 'creationRefused' }, told(true, 11), 'finish'],
    [{ ...flow, state: 'toAuthorize' }, told(false, 11), null],
    [{ ...flow, state: 'toAuthorize' }, told(true, 11), 'finish'],
    [{ ...flow, state: 'toAuthorize', isFound: true }, told(true, 11), null],
    [{ ...flow, state: 'authorized' }, told(true, 11), null],
    [{ ...flow, state: 'toCreate' }, told(false, 11), null],
    [{ ...flow, state: 'released' }, { kind: 'unauthorized' }, 'ask'],
  ]
  for (const [standing, push, move] of CASES) assert.equal(toldMove(standing, push), move)
})

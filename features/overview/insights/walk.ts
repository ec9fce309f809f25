import { type Attempt, byAgent, type FeatureWalk, own } from '#test/walk-types.ts'

const DAYS = { from: '2026-01-01', to: '2026-01-31' }
const YEAR = { year: 2026 }
const OF_PLAN = { kind: 'service', ...YEAR }
const NOTHING: null[] = Array.from({ length: 12 }, () => null)
/** Months without a shop of theirs. */
const ofTheirs: Attempt = { as: ({ a }) => ({ agentId: a.id }), expect: 'own' }
/** Each plan of the walk is of another year: a plan is set on what stands. */
let years = 2040
const FILES: [name: string, title: string, input: Record<string, string | number>][] = [
  ['cohorts', '留存', { rows: 12 }],
  ['cohortsPdf', '留存', { rows: 12 }],
  ['income', '收入', YEAR],
  ['incomePdf', '收入', YEAR],
  ['renewals', '已续费的期限', { agentId: 1 }],
]

/** What the vendor looks at: an agency is refused before anything is asked for. */
export const walk: FeatureWalk = {
  ofAgency: ['insights'],
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'insights.partners': [own()],
    'insights.partners (file)': [own()],
    'insights.levels': [own()],
    'insights.funds': [own()],
    'insights.sales': [{ as: ({ a }) => ({ agentId: a.id, ...DAYS }), expect: ['NOT_FOUND'] }],
    'insights.cohorts': [own(), ofTheirs],
    'insights.cohorts (file)': [own(), ofTheirs],
    'insights.cohortsPdf (file)': [own()],
    'insights.renewals': [own(), byAgent],
    'insights.renewals (file)': [own(), byAgent],
    'insights.income': [own()],
    'insights.income (file)': [own(YEAR)],
    'insights.incomePdf (file)': [own(YEAR)],
    'insights.plan': [own(OF_PLAN)],
    'insights.setPlan': [own({ ...OF_PLAN, months: NOTHING, revision: 0 })],
  },
  scoped: [],
  reads: desk => ({
    'insights.sales': async () => ({ agentId: desk.partner.id, ...DAYS }),
    'insights.plan': async () => OF_PLAN,
  }),
  changes: desk => ({
    'insights.setPlan': {
      accepted: async () => {
        const plan = { kind: 'service', year: years++ }
        return desk.asOperator(
          { ...plan, months: [100, ...NOTHING.slice(1)], revision: 0 },
          `${plan.year} 年 增值服务`,
        )
      },
      refused: {
        input: () => ({ ...OF_PLAN, months: [-1, ...NOTHING.slice(1)], revision: 0 }),
        code: 'PLAN_AMOUNT',
      },
    },
    ...Object.fromEntries(
      FILES.map(([name, title, input]) => [
        `insights.${name} (file)`,
        {
          accepted: async () => desk.asOperator(input, title),
          refused: {
            input: () => ({ ...input, [Object.keys(input)[0] ?? '']: 'nonsense' }),
            code: 'INPUT_INVALID',
          },
        },
      ]),
    ),
    'insights.partners (file)': {
      accepted: async () => desk.asOperator({ period: 'year' }, '代理商排行'),
      refused: { input: () => ({ levelId: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}

import { drizzle } from 'drizzle-orm/node-postgres'
import { makeApplication, WHOLE } from '#features/programs/program-applications/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type Desk, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { numbersOf } from './rules.ts'
import { programFlows } from './tables.ts'

type Made = { agentId: number; merchantId: number; companyName?: string }
type Given = Partial<typeof programFlows.$inferInsert> & Pick<typeof programFlows.$inferInsert, 'state'>

/** An approved application, and with `given` its flow, standing so; answers the application's id. */
export async function makeFlow(office: Office, of: Made, given?: Given): Promise<number> {
  const { secrets } = office.app.services
  const isTakenOver = given?.state === 'toTakeOver'
  const applicationId = await makeApplication(office, {
    ...of,
    state: 'approved',
    kind: isTakenOver ? 'existing' : 'registration',
    ...numbersOf(given?.state ?? 'toCreate', isTakenOver),
    legalPersonWechat: secrets.encrypt(WHOLE.legalPersonWechat),
    legalPersonWechatMasked: 'zh****88',
  })
  const { agentId, merchantId } = of
  if (given)
    await drizzle(office.owner)
      .insert(programFlows)
      .values({ applicationId, agentId, merchantId, changedAt: new Date().toISOString(), ...given })
  return applicationId
}

/** Of the address of an owner who has not authorised yet. */
function ownerCode({ app: { services } }: Office, id: number): string {
  const until = Date.now() + 3_600_000
  const mark = services.secrets.digest(`program owner given ${id} ${until} `).toString('base64url')
  return `g${id.toString(36)}~${until.toString(36)}~${mark}`
}

/** What is handed to the platform; the WeChat number that is kept stays. */
export const REGISTRANT = {
  companyName: WHOLE.companyName,
  companyCode: WHOLE.companyCode,
  legalPersonName: WHOLE.legalPersonName,
  legalPersonWechat: '',
  servicePhone: WHOLE.servicePhone,
} as const

const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.flowing, ...more }),
  expect: ['NOT_FOUND'],
})
/** Of an address that is nobody's. */
const NOBODYS = `g1~1~${'x'.repeat(43)}`
const nobody = (more: object = {}) => [{ as: () => ({ code: NOBODYS, ...more }), expect: ['LINK_USED'] }]
const asOwner = ({ partner }: Desk) => ({ loginName: '', accountId: 0, id: partner.id, name: '店主' })
const BACK = { until: 1, key: 'key', authCode: 'code' }

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const of = { agentId: a.id, merchantId: a.shops[2] as number, companyName: MARK }
    return { flowing: await makeFlow(office, of, { state: 'authorized', isAuthorized: true, remark: MARK }) }
  },
  attempts: {
    'programFlow.list': [own(), search(() => MARK), search(({ a }) => a.shops[2])],
    'programFlow.details': [theirOwn()],
    'programFlow.create': [theirOwn({ revision: 1, ...REGISTRANT })],
    'programFlow.look': [theirOwn()],
    'programFlow.authorizeLink': [theirOwn()],
    'programFlow.ownerLink': [theirOwn()],
    'programFlow.ownerPage': nobody(),
    'programFlow.ownerBegin': nobody(),
    'programFlow.ownerReturned': nobody({ authCode: 'queryauthcode@@@1' }),
    'programFlow.returned': [theirOwn(BACK)],
    'programFlow.verify': [theirOwn()],
    'programFlow.setRemark': [theirOwn({ remark: '备注' })],
  },
  scoped: [
    'programFlow.list',
    'programFlow.details',
    'programFlow.look',
    'programFlow.verify',
    'programFlow.setRemark',
  ],
  reads: desk => ({
    'programFlow.details': async () => ({
      id: await makeFlow(desk.office, {
        agentId: desk.partner.id,
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    }),
    'programFlow.ownerPage': async () => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const id = await makeFlow(
        desk.office,
        { agentId: desk.partner.id, merchantId },
        { state: 'toTakeOver' },
      )
      return { code: ownerCode(desk.office, id) }
    },
  }),
  changes: desk => {
    const standing = async (given?: Given) => {
      const { input, subject } = await desk.onShop()
      const of = { agentId: desk.partner.id, merchantId: Number(input.id) }
      return { id: await makeFlow(desk.office, of, given), subject }
    }
    const pending = async () =>
      makeApplication(desk.office, {
        ...{ agentId: desk.partner.id, state: 'pending' },
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      })
    return {
      'programFlow.create': {
        async accepted() {
          const { id, subject } = await standing()
          return desk.asPartner({ id, revision: 1, ...REGISTRANT, companyName: `${subject}公司` }, subject)
        },
        refused: {
          input: async () => ({ id: (await standing()).id, revision: 1, ...REGISTRANT, companyName: '' }),
          code: 'COMPANY_REQUIRED',
        },
      },
      'programFlow.returned': {
        async accepted() {
          const { id, subject } = await standing({ state: 'toTakeOver' })
          const until = Date.now() + 3_600_000
          const key = desk.office.app.services.secrets
            .digest(`program authorization ${id} ${until}`)
            .toString('base64url')
          return desk.asPartner({ id, until, key, authCode: 'queryauthcode@@@1' }, subject)
        },
        refused: {
          input: async () => ({ id: (await standing({ state: 'toTakeOver' })).id, ...BACK }),
          code: 'LINK_EXPIRED',
        },
      },
      'programFlow.ownerReturned': {
        async accepted() {
          const { id, subject } = await standing({ state: 'toTakeOver' })
          const input = { code: ownerCode(desk.office, id), authCode: 'queryauthcode@@@1' }
          return { cookie: null, input, subject, account: asOwner(desk) }
        },
        refused: { input: () => ({ code: NOBODYS, authCode: 'queryauthcode@@@1' }), code: 'LINK_USED' },
      },
      'programFlow.verify': {
        async accepted() {
          const { id, subject } = await standing({ state: 'authorized', isAuthorized: true })
          return desk.asPartner({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing()).id }), code: 'NOT_NOW' },
      },
      'programFlow.setRemark': {
        async accepted() {
          const { id, subject } = await standing()
          return desk.asPartner({ id, remark: '法人下周回国' }, subject)
        },
        refused: { input: async () => ({ id: await pending(), remark: '备注' }), code: 'NOT_NOW' },
      },
    }
  },
}

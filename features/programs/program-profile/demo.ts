// Demo rows of what mini programs show of themselves: one whose name has passed, whose intro was refused, and whose category is in review.
import { demoPapers } from '#features/care/documents/demo.ts'
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { numbersOf, SCOPES } from '#features/programs/program-flow/rules.ts'
import { programFlowAnswers, programFlows } from '#features/programs/program-flow/tables.ts'
import { demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { ago, type Demo, later } from '#server/demo.ts'
import { type KnownProfile, programProfileChanges, programProfiles } from './tables.ts'

/** Behind those that applications, versions and flows take. */
const SHOP = 49
const NAME = '桥头烧烤点餐'
const APPID = 'wxde400000000001'
const REFUSED = '简介含有禁止使用的词。请修改简介后重新提交'

export function demo(demo: Demo): void {
  const by = demoOwner(demo, DEMO_AGENTS.first)
  demo.history.at(demo.now, () => {
    const shop = demoShops(demo)
      .filter(shop => shop.agentId === DEMO_AGENTS.first && isInUse(shop, demo.now.toISOString()))
      .filter(shop => !demoPapers(demo).has(shop))[SHOP]
    if (!shop) return
    const [began, at, read] = [ago(demo, 6), ago(demo, 2), ago(demo, 0.1)]
    const of = { agentId: shop.agentId, merchantId: shop.id as number }
    const application = demo.history.add(programApplications, {
      ...{ ...of, kind: 'registration', state: 'approved', programType: 'scanOrder', programName: NAME },
      ...numbersOf('profile', false),
      ...{ createdAt: began, submittedAt: began, handledAt: later(demo, began, 5) },
      ...{ savedBy: by.id, savedByName: by.name, submittedBy: by.id, submittedByName: by.name },
      ...{ servicePhone: '0755-88886666', companyName: `深圳市${NAME}餐饮有限公司`, intro: '全城最好的烧烤' },
    })
    const ofProgram = { ...of, applicationId: application.id as number }
    demo.history.add(programFlows, {
      ...{ ...ofProgram, state: 'profile', changedAt: at, handedInAt: later(demo, began, 6), askedAt: read },
      ...{ scopes: SCOPES.map(({ id }) => id), isAuthorized: true, appid: APPID, authorizedAt: at },
    })
    const profiled = { ...ofProgram, appid: APPID }
    demo.history.add(programProfiles, { ...profiled, known: KNOWN, readAt: read, askedAt: read })
    const change = (more: object) =>
      demo.history.add(programProfileChanges, {
        ...{ ...profiled, isCurrent: true, submittedByName: by.name, submittedAt: at, ...more },
      } as typeof programProfileChanges.$inferInsert)
    change({ part: 'name', value: NAME, state: 'passed', endedAt: later(demo, at, 20) })
    change({
      ...{ part: 'intro', value: '全城最好的烧烤', state: 'refused', reason: REFUSED },
      endedAt: later(demo, at, 1),
    })
    change({
      ...{ part: 'category', secondId: 223, value: '餐饮 / 餐厅排队', state: 'reviewing' },
      args: { levels: [LEVELS.first, LEVELS.second] },
    })
    demo.history.add(programFlowAnswers, {
      ...{ ...ofProgram, at: later(demo, at, 1), title: '提交简介', code: '53201', isTrouble: true },
      ...{ words: '简介含有禁止使用的词', advice: '请修改简介后重新提交' },
    })
  })
}

const LEVELS = { first: { id: 220, name: '餐饮' }, second: { id: 223, name: '餐厅排队' } }
const COUNTED = { used: 1, quota: 5 }
const KNOWN: KnownProfile = {
  info: {
    ...{ appid: APPID, principalName: `深圳市${NAME}餐饮有限公司`, isPersonal: false },
    ...{ realName: 'confirmed', isVerified: false },
    nickName: { value: NAME, used: 1, quota: 2 },
    headImage: { url: '', used: 0, quota: 5 },
    signature: { value: '', ...COUNTED },
  },
  categories: {
    categories: [
      {
        ...{ first: 220, second: 223, firstName: '餐饮', secondName: '餐厅排队' },
        ...{ state: 'reviewing', reason: null },
      },
    ],
    ...{ monthlyLimit: 20, monthlyLeft: 19, mostCategories: 20 },
  },
}

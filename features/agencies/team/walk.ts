import { makeAccount } from '#test/make.ts'
import { firstSignIn, makeTotp } from '#test/make-factors.ts'
import { type Attempt, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

type Extra = { theirRole: number; theirs: number }

const extra = (scene: { extra: object }) => scene.extra as Extra
const onRole = (more: object = {}): Attempt => ({
  as: scene => ({ id: extra(scene).theirRole, ...more }),
  expect: ['NOT_FOUND'],
})
const onPerson = (more: object = {}): Attempt => ({
  as: scene => ({ id: extra(scene).theirs, ...more }),
  expect: ['NOT_FOUND'],
})

const ROLE = { name: '走查', remark: '' }
const PERSON = {
  name: '走查',
  mobile: '13900001111',
  wechat: '',
  remark: '',
  dataScope: 'all',
  portraitId: null,
} as const
const PASSWORD = 'walked2026'
const NOBODY = 99_999_999

let made = 0
const fresh = () => String(41_000_000 + ++made)

/** The people and roles of an agency are its own: not even the walk without walls finds another's. */
export const walk: FeatureWalk = {
  ofAgency: ['team'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const { rows } = await office.owner.query<{ id: string }>(
      `insert into roles (agent_id, name, remark, node_ids, created_at) values ($1, $2, $2, '{22}', now()) returning id`,
      [a.id, MARK],
    )
    const { accountId } = await makeAccount(office, a.id)
    const theirRole = Number(rows[0]?.id)
    await office.owner.query(
      'update accounts set name = $2, remark = $2, wechat = $2, role_id = $3 where id = $1',
      [accountId, MARK, theirRole],
    )
    return { theirRole, theirs: accountId } satisfies Extra
  },
  attempts: {
    'team.roles': [own(), search(() => MARK)],
    'team.addRole': [own(ROLE)],
    'team.editRole': [onRole(ROLE)],
    'team.switchRole': [onRole({ enabled: false })],
    'team.deleteRole': [onRole()],
    'team.holders': [{ as: scene => ({ id: extra(scene).theirRole }), expect: 'own' }],
    'team.tree': [own()],
    'team.roleRights': [onRole()],
    'team.setRights': [onRole({ nodeIds: [22] })],
    'team.whoCan': [own({ id: 22 })],
    'team.staff': [own(), search(() => MARK), search(({ a }) => a.sub.loginName)],
    'team.staff (file)': [own(), search(() => MARK)],
    'team.roleOptions': [own()],
    'team.labelOptions': [own()],
    'team.person': [onPerson()],
    'team.loginName': [{ as: ({ a }) => ({ loginName: a.sub.loginName }), expect: 'own' }],
    'team.addPerson': [
      {
        as: scene => ({
          ...PERSON,
          loginName: fresh(),
          password: PASSWORD,
          roleId: extra(scene).theirRole,
        }),
        expect: ['ROLE_UNKNOWN'],
      },
    ],
    'team.editPerson': [onPerson({ ...PERSON, loginName: '40000001', roleId: null })],
    'team.switchPerson': [onPerson({ enabled: false })],
    'team.deletePerson': [onPerson()],
    'team.handOver': [onPerson({ successorId: 0 })],
    'team.resetPassword': [onPerson({ password: PASSWORD })],
    'team.resetFactors': [onPerson()],
    'team.endSessions': [onPerson()],
  },
  scoped: [],
  reads: desk => {
    // Asked by the operator, who sees its own alone too.
    const role = async () => desk.office.as(desk.operatorCookie).team.addRole({ ...ROLE, name: fresh() })
    return {
      'team.holders': role,
      'team.roleRights': role,
      'team.whoCan': async () => ({ id: 22 }),
      'team.person': async () => ({ id: desk.operator.accountId }),
      'team.loginName': async () => ({ loginName: fresh() }),
    }
  },
  changes: desk => {
    const addRole = async () => {
      const name = fresh()
      return { id: (await desk.mine().team.addRole({ name, remark: '' })).id, name }
    }
    const addPerson = async () => {
      const loginName = fresh()
      const { id: roleId } = await addRole()
      const form = { ...PERSON, loginName, roleId }
      const { id } = await desk.mine().team.addPerson({ ...form, password: PASSWORD })
      return { id, form, told: `${PERSON.name}（${loginName}）` }
    }
    const onPerson = async (more: object = {}) => {
      const { id, told } = await addPerson()
      return desk.asPartner({ id, ...more }, told)
    }
    const unknown = { input: () => ({ id: NOBODY }), code: 'NOT_FOUND' }
    return {
      'team.addRole': {
        accepted: async () => {
          const name = fresh()
          return desk.asPartner({ name, remark: '' }, name)
        },
        refused: { input: () => ({ name: '', remark: '' }), code: 'ROLE_NAME_REQUIRED' },
      },
      'team.editRole': {
        accepted: async () => {
          const { id, name } = await addRole()
          return desk.asPartner({ id, name: fresh(), remark: '改' }, name)
        },
        refused: {
          input: async () => ({ id: (await addRole()).id, name: '九个字的角色名称长', remark: '' }),
          code: 'ROLE_NAME_TOO_LONG',
        },
      },
      'team.switchRole': {
        accepted: async () => {
          const { id, name } = await addRole()
          return desk.asPartner({ id, enabled: false }, name)
        },
        refused: { input: () => ({ id: NOBODY, enabled: false }), code: 'NOT_FOUND' },
      },
      'team.deleteRole': {
        accepted: async () => {
          const { id, name } = await addRole()
          return desk.asPartner({ id }, name)
        },
        refused: { input: async () => ({ id: (await addPerson()).form.roleId }), code: 'ROLE_HELD' },
      },
      'team.setRights': {
        accepted: async () => {
          const { id, name } = await addRole()
          return desk.asPartner({ id, nodeIds: [22] }, name)
        },
        refused: {
          input: async () => ({ id: (await addRole()).id, nodeIds: [74] }),
          code: 'GRANT_BEYOND',
        },
      },
      'team.addPerson': {
        accepted: async () => {
          const loginName = fresh()
          const { id: roleId } = await addRole()
          return desk.asPartner(
            { ...PERSON, loginName, roleId, password: PASSWORD },
            `${PERSON.name}（${loginName}）`,
          )
        },
        refused: {
          input: () => ({ ...PERSON, loginName: fresh(), roleId: null, password: PASSWORD }),
          code: 'ROLE_REQUIRED',
        },
      },
      'team.editPerson': {
        accepted: async () => {
          const { id, form, told } = await addPerson()
          return desk.asPartner({ ...form, id, remark: '改' }, told)
        },
        refused: {
          input: async () => {
            const { id, form } = await addPerson()
            return { ...form, id, mobile: '123' }
          },
          code: 'MOBILE_FORMAT',
        },
      },
      'team.switchPerson': {
        accepted: () => onPerson({ enabled: false }),
        refused: { input: () => ({ id: desk.partner.accountId, enabled: false }), code: 'SELF_ENDED' },
      },
      'team.deletePerson': {
        accepted: () => onPerson(),
        refused: { input: () => ({ id: desk.partner.accountId }), code: 'SELF_ENDED' },
      },
      'team.handOver': {
        accepted: async () => {
          const { id, told } = await addPerson()
          await desk.onShop({}, { manager_id: id })
          return desk.asPartner({ id, successorId: desk.partner.accountId }, told)
        },
        refused: {
          input: async () => ({ id: (await addPerson()).id, successorId: NOBODY }),
          code: 'NOT_FOUND',
        },
      },
      'team.resetPassword': {
        accepted: () => onPerson({ password: 'harbour-2026-k' }),
        refused: {
          input: async () => ({ id: (await addPerson()).id, password: '12345' }),
          code: 'PASSWORD_FORMAT',
        },
      },
      'team.resetFactors': {
        accepted: async () => {
          const { id, form, told } = await addPerson()
          await makeTotp(desk.office, await firstSignIn(desk.office, form.loginName, PASSWORD))
          return desk.asPartner({ id }, told)
        },
        refused: { input: async () => ({ id: (await addPerson()).id }), code: 'NO_FACTOR' },
      },
      'team.staff (file)': {
        accepted: async () => desk.asPartner({ enabled: true }, '员工'),
        refused: { input: () => ({ enabled: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'team.endSessions': {
        accepted: async () => {
          const { id, form, told } = await addPerson()
          await desk.office.login(form.loginName, PASSWORD)
          return desk.asPartner({ id }, told)
        },
        refused: unknown,
      },
    }
  },
}
